// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "queue",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "PipelineCore", path: "../..")],
    targets: [
        .executableTarget(
            name: "queue",
            dependencies: [.product(name: "PipelineCore", package: "PipelineCore")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
