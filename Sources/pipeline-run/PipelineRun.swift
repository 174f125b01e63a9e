@main
enum PipelineRun {
    static func main() {}
}
