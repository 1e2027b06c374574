// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Apart from the other benchmarks, so that it needs no other package. The library has to be compiled with
// `-Xswiftc -DSIMULATION`. The sources are those of the tests, over a link, and use `package` declarations of the
// library. These are compiled under the package name that SwiftPM derives from the library's folder.
let library = URL(fileURLWithPath: Context.packageDirectory).deletingLastPathComponent().deletingLastPathComponent()
let libraryName = String(library.lastPathComponent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .unsafeFlags(["-package-name", libraryName]),
]

let package = Package(
  name: "Simulate",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "FeatherRESTClient", path: "../..")],
  targets: [
    .target(
      name: "World", dependencies: [.product(name: "WebServices", package: "FeatherRESTClient")],
      packageAccess: false, swiftSettings: settings),
    .executableTarget(name: "Simulate", dependencies: ["World"], packageAccess: false, swiftSettings: settings),
  ]
)
