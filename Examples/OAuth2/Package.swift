// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "OAuth2Example",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "FeatherRESTClient", path: "../..")],
  targets: [
    .executableTarget(
      name: "OAuth2Example",
      dependencies: [
        .product(name: "WebServices", package: "FeatherRESTClient"),
        .product(name: "WebServicesTesting", package: "FeatherRESTClient"),
      ])
  ]
)
