// swift-tools-version: 6.2
import PackageDescription

// A program that needs the core of the library alone.
let package = Package(
  name: "Feather",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "FeatherRESTClient", path: "../..")],
  targets: [
    .executableTarget(
      name: "Feather", dependencies: [.product(name: "WebServicesCore", package: "FeatherRESTClient")])
  ]
)
