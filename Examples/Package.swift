// swift-tools-version: 6.2
import PackageDescription

/// A program of one file.
func program(_ name: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      .product(name: "WebServices", package: "FeatherRESTClient"),
      .product(name: "WebServicesTesting", package: "FeatherRESTClient"),
    ], path: name)
}

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "FeatherRESTClient", path: "..")],
  targets: ["Joke", "OAuth2", "Pages", "SignIn", "Upload", "FakedService", "Trouble"].map(program)
)
