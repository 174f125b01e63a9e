extension PipelineRun {
    /// What happens, from the first event on, whenever the reading begins.
    ///
    /// Any number of readers may each read all of it; the sequence ends after
    /// ``RunEvent/finished(_:)``, or when the reading task is cancelled.
    public var events: Events { Events(run: self) }

    /// The events of a run.
    public struct Events: AsyncSequence, Sendable {
        let run: PipelineRun

        /// Begins to read from the first event.
        public func makeAsyncIterator() -> Iterator { Iterator(run: run) }

        /// Where one reader stands.
        public struct Iterator: AsyncIteratorProtocol {
            let run: PipelineRun
            private var next = 0

            init(run: PipelineRun) {
                self.run = run
            }

            /// The next event; `nil` after the last.
            public mutating func next() async -> RunEvent? {
                guard let moment = await run.log.moment(at: next) else { return nil }
                next += 1
                return run.event(moment)
            }
        }
    }
}
