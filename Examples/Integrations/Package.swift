// swift-tools-version: 6.2
import PackageDescription

/// A program that uses the library beside a product of another package.
func program(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      .product(name: "WebServices", package: "FeatherRESTClient"),
      .product(name: "WebServicesTesting", package: "FeatherRESTClient"),
    ] + dependencies, path: name)
}

let package = Package(
  name: "Integrations",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "FeatherRESTClient", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-openapi-runtime", from: "1.11.0"),
  ],
  targets: [
    program(
      "SwiftLog", .product(name: "Logging", package: "swift-log"),
      .product(name: "InMemoryLogging", package: "swift-log")),
    program(
      "SwiftMetrics", .product(name: "Metrics", package: "swift-metrics"),
      .product(name: "MetricsTestKit", package: "swift-metrics")),
    program(
      "DistributedTracing", .product(name: "Tracing", package: "swift-distributed-tracing"),
      .product(name: "InMemoryTracing", package: "swift-distributed-tracing")),
    program("Lifecycle", .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")),
    program("TypedFields", .product(name: "HTTPTypes", package: "swift-http-types")),
    program(
      "GeneratedClient", .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
      .product(name: "HTTPTypes", package: "swift-http-types")),
  ]
)
