// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "parsing",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "PipelineCore", path: "../..")],
    targets: [
        .executableTarget(
            name: "parsing",
            dependencies: [.product(name: "PipelineJSON", package: "PipelineCore")])
    ]
)
