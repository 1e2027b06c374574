// swift-tools-version: 6.2
import Foundation
import PackageDescription

// The benchmarks are a package of their own, so that users of the library never depend on the other clients. The
// targets use `package` declarations of the library. They are compiled under the package name that SwiftPM derives from
// the library's folder.
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
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.27.1"),
  ],
  targets: [
    // The package has one executable, so that `swift run` needs no name. The program starts itself as server and as
    // client.
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "BenchmarkServer", "CurlLoop", "Fuzz", "ImmediateSession", "RandomModels", "RandomRun",
        .product(name: "WebServices", package: "FeatherRESTClient"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOFoundationCompat", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      packageAccess: false, swiftSettings: settings),
    // C: a plain loop over libcurl, which the program loads while it runs.
    .target(name: "CurlLoop", packageAccess: false, linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(
      name: "BenchmarkServer",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
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
    // A symbolic link to the tests' sources. The library's own tests run them for some seconds.
    .target(
      name: "RandomRun",
      dependencies: [
        .product(name: "WebServices", package: "FeatherRESTClient"),
        .product(name: "WebServicesTesting", package: "FeatherRESTClient"),
      ],
      packageAccess: false, swiftSettings: settings),
    // A symbolic link to the tests' sources: random models and documents for both JSON decoders.
    .target(
      name: "RandomModels", dependencies: [.product(name: "WebServices", package: "FeatherRESTClient")],
      packageAccess: false, swiftSettings: settings),
  ]
)
