// swift-tools-version: 6.0
import Foundation
import PackageDescription

// A package of its own, so that what the library is compared with never reaches a user of the library. Its targets see
// what the library declares as `package`: they are compiled under the name that SwiftPM gives the library's package,
// which is that of its folder.
let library = URL(fileURLWithPath: Context.packageDirectory).deletingLastPathComponent().lastPathComponent
let libraryName = String(library.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .unsafeFlags(["-package-name", libraryName]),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "FeatherRESTClient", path: ".."),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
  ],
  targets: [
    // No second executable: `swift run` then needs no name. The program starts itself again as server and as client.
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "BenchmarkReport", "BenchmarkServer", "Fuzz", "Herd", "JSONSpeed", "PolicyCosts", "RandomModels", "RandomRun",
        .product(name: "WebServices", package: "FeatherRESTClient"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOFoundationCompat", package: "swift-nio"),
      ],
      packageAccess: false, swiftSettings: settings),
    .target(name: "BenchmarkReport", packageAccess: false, swiftSettings: settings),
    .target(
      name: "BenchmarkServer",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      packageAccess: false, swiftSettings: settings),
    .target(
      name: "Herd", dependencies: [.product(name: "WebServices", package: "FeatherRESTClient")],
      packageAccess: false, swiftSettings: settings),
    .target(
      name: "ImmediateSession", dependencies: [.product(name: "WebServices", package: "FeatherRESTClient")],
      packageAccess: false, swiftSettings: settings),
    .target(
      name: "Fuzz",
      dependencies: [
        "ImmediateSession",
        .product(name: "WebServices", package: "FeatherRESTClient"),
        .product(name: "WebServicesTesting", package: "FeatherRESTClient"),
      ],
      packageAccess: false, swiftSettings: settings),
    // A link to the tests' sources, of which the library's own tests run some seconds.
    .target(
      name: "RandomRun",
      dependencies: [
        .product(name: "WebServices", package: "FeatherRESTClient"),
        .product(name: "WebServicesTesting", package: "FeatherRESTClient"),
      ],
      packageAccess: false, swiftSettings: settings),
    // A link to the tests' sources too: random models and documents, for both decoders of JSON.
    .target(
      name: "RandomModels", dependencies: [.product(name: "WebServices", package: "FeatherRESTClient")],
      packageAccess: false, swiftSettings: settings),
    .target(
      name: "JSONSpeed",
      dependencies: [
        "BenchmarkReport", "RandomModels", .product(name: "WebServices", package: "FeatherRESTClient"),
      ],
      packageAccess: false, swiftSettings: settings),
    .target(
      name: "PolicyCosts",
      dependencies: [
        "BenchmarkReport", "ImmediateSession", .product(name: "WebServices", package: "FeatherRESTClient"),
      ],
      packageAccess: false, swiftSettings: settings),
    .testTarget(name: "HerdTests", dependencies: ["Herd"], packageAccess: false, swiftSettings: settings),
    .testTarget(
      name: "BenchmarkReportTests", dependencies: ["BenchmarkReport"], packageAccess: false, swiftSettings: settings),
  ]
)
