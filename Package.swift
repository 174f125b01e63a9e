// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "PipelineCore",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "PipelineCore", targets: ["PipelineCore"]),
        .library(name: "PipelineCurl", targets: ["PipelineCurl"]),
        .library(name: "PipelineFoundation", targets: ["PipelineFoundation"]),
        .library(name: "PipelineJSON", targets: ["PipelineJSON"]),
        .library(name: "PipelineStub", targets: ["PipelineStub"]),
        .executable(name: "pipeline-run", targets: ["pipeline-run"]),
    ],
    targets: [
        .systemLibrary(
            name: "CLibcurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]
        ),
        .target(name: "PipelineJSON"),
        .target(name: "PipelineCore", dependencies: ["PipelineJSON"]),
        .target(name: "PipelineCurl", dependencies: ["CLibcurl", "PipelineCore"]),
        .target(name: "PipelineStub", dependencies: ["PipelineCore", "PipelineJSON"]),
        .target(name: "PipelineFoundation", dependencies: ["PipelineCore", "PipelineJSON"]),
        .target(
            name: "PipelineCommand",
            dependencies: ["PipelineCore", "PipelineCurl", "PipelineJSON", "PipelineStub"]
        ),
        .executableTarget(name: "pipeline-run", dependencies: ["PipelineCommand", "PipelineCore"]),

        // The servers, clocks and helpers that several test targets share, and a program of a test.
        .target(name: "TestSupport", dependencies: ["PipelineCore"], path: "Tests/TestSupport"),
        .testTarget(name: "PipelineJSONTests", dependencies: ["PipelineJSON", "TestSupport"]),
        .executableTarget(
            name: "SharedCacheProcess", dependencies: ["PipelineCore", "TestSupport"],
            path: "Tests/SharedCacheProcess"
        ),
        .testTarget(
            name: "PipelineCoreTests",
            dependencies: ["PipelineCore", "PipelineJSON", "SharedCacheProcess", "TestSupport"]
        ),
        .testTarget(
            name: "PipelineCurlTests",
            dependencies: ["PipelineCore", "PipelineCurl", "TestSupport"]
        ),
        .testTarget(
            name: "TransportConformanceTests",
            dependencies: ["PipelineCore", "PipelineCurl", "PipelineFoundation", "TestSupport"]
        ),
        .testTarget(
            name: "PipelineStubTests",
            dependencies: ["PipelineCore", "PipelineJSON", "PipelineStub", "TestSupport"]
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "PipelineCore", "PipelineCurl", "PipelineFoundation", "PipelineJSON",
                "PipelineStub", "TestSupport",
            ]
        ),
        .testTarget(
            name: "PipelineFoundationTests",
            dependencies: ["PipelineCore", "PipelineFoundation", "PipelineJSON", "TestSupport"]
        ),
        .testTarget(
            name: "PipelineCommandTests",
            dependencies: [
                "PipelineCommand", "PipelineCore", "PipelineJSON", "PipelineStub", "TestSupport",
                "pipeline-run",
            ]
        ),

        // What an app may begin with. None of it is a product; all of it is built and run by tests.
        .target(
            name: "AppStart", dependencies: ["PipelineCore", "PipelineFoundation", "PipelineJSON"],
            path: "Examples/AppStart"
        ),
        .executableTarget(
            name: "start-up", dependencies: ["PipelineCore", "PipelineCurl", "PipelineStub"],
            path: "Examples/start-up"
        ),
        .executableTarget(
            name: "seeds",
            dependencies: ["PipelineCore", "PipelineCurl", "PipelineFoundation", "PipelineStub"],
            path: "Examples/seeds"
        ),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "AppStart", "PipelineCore", "PipelineCurl", "PipelineFoundation", "PipelineJSON",
                "PipelineStub", "TestSupport", "seeds", "start-up",
            ],
            path: "Examples/Tests"
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "PipelineCore", "PipelineCurl", "PipelineFoundation", "PipelineStub",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
