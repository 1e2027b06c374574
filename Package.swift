// swift-tools-version: 6.0
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "FeatherRESTClient",
  platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
  products: [
    .library(name: "WebServices", targets: ["WebServices"]),
    .library(name: "WebServicesTesting", targets: ["WebServicesTesting"]),
    .executable(name: "FeatherDemo", targets: ["FeatherDemo"]),
  ],
  targets: [
    .target(name: "CurlShim", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "WebServices", dependencies: ["CurlShim"], swiftSettings: settings),
    .target(name: "WebServicesTesting", dependencies: ["WebServices"], swiftSettings: settings),
    .executableTarget(
      name: "FeatherDemo", dependencies: ["WebServices", "WebServicesTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "WebServicesTests", dependencies: ["WebServices", "WebServicesTesting"],
      swiftSettings: settings),
    .testTarget(
      name: "WebServicesTestingTests", dependencies: ["WebServices", "WebServicesTesting"],
      swiftSettings: settings),
    // Real clients call real servers at random. The benchmark package has the sources in RandomRun too, over a link.
    .testTarget(
      name: "RandomRunTests", dependencies: ["WebServices", "WebServicesTesting"], swiftSettings: settings),
    .testTarget(
      name: "FeatherDemoTests", dependencies: ["FeatherDemo", "WebServicesTesting"],
      swiftSettings: settings),
  ]
)
