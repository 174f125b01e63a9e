import PipelineCore

extension RunOptions {
    /// What the command line says about a run.
    init(_ settings: Settings) {
        self.init()
        timeout = settings.timeout
        connectTimeout = settings.connectTimeout
        deadline = settings.deadline
        retryLimit = settings.retryLimit
        fieldOverrides = settings.fieldOverrides
        selection = settings.selection
        stopsOnFailure = !settings.keepsGoing
        let connection = settings.connection
        if connection != ConnectionOverrides() {
            adjustConnection = { connection.apply(to: &$0) }
        }
        keepsMessages = false
    }
}
