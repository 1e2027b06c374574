// swift-tools-version: 6.2
import PackageDescription

/// Whether a warning is an error. `.ci/run` asks for this; a package that depends on this one may not.
let isStrict = Context.environment["WEBSERVICES_STRICT"] != nil

let settings: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault")]
  + (isStrict ? [.unsafeFlags(["-warnings-as-errors"])] : [])

/// The rooms that read the metadata of files. A test compares their privacy manifests with the calls in the sources.
let roomsWithPrivacyManifest = ["Files", "HTTP", "Streaming", "Transport"]

// A resource would add Foundation's bundles to a program on other systems.
#if canImport(Darwin)
  let hasResources = true
#else
  let hasResources = false
#endif

/// Whether libcurl and zlib are linked, not looked up, as always in a static program with musl. A step of `.ci/run`
/// tests this form.
let linksCurl = Context.environment["CURL_SHIM_LINKED"] != nil

/// A folder of `Sources/WebServices` is a module. CONTRIBUTING says why each exists; `scripts/imports` compares.
func room(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  let manifest = roomsWithPrivacyManifest.contains(name) ? ["PrivacyInfo.xcprivacy"] : []
  return .target(
    name: "WebServices\(name)", dependencies: dependencies, path: "Sources/WebServices/\(name)",
    exclude: hasResources ? [] : manifest, resources: hasResources ? manifest.map { .copy($0) } : [],
    swiftSettings: settings)
}

let rooms = [
  room("JSON"),
  room("HTTP"),
  room("Files"),
  room("Transport", "WebServicesHTTP", "CurlShim"),
  room("Core", "WebServicesHTTP", "WebServicesJSON", "WebServicesTransport"),
  room("Formats", "WebServicesCore", "CurlShim"),
  room("Streaming", "WebServicesCore", "WebServicesFiles"),
  room("Tokens", "WebServicesCore", "WebServicesFiles"),
  room("Resilience", "WebServicesCore", "WebServicesFiles"),
  room("Observability", "WebServicesCore"),
]

/// The tests of a module. `WebServicesTestSupport` has what the tests of several modules share.
func tests(of module: String, exclude: [String] = [], plugins: [Target.PluginUsage] = []) -> Target {
  .testTarget(
    name: module + "Tests", dependencies: ["WebServices", "WebServicesTesting", "WebServicesTestSupport"],
    exclude: exclude, swiftSettings: settings, plugins: plugins)
}

/// The rooms above test `WebServicesFiles`.
let testedRooms = rooms.map(\.name).filter { $0 != "WebServicesFiles" }

let package = Package(
  name: "FeatherRESTClient",
  platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
  products: [
    .library(name: "WebServices", targets: ["WebServices"]),
    .library(name: "WebServicesCore", targets: ["WebServicesCore"]),
    .library(name: "WebServicesTesting", targets: ["WebServicesTesting"]),
    .library(name: "WebServicesDoubles", targets: ["WebServicesDoubles"]),
    .executable(name: "FeatherDemo", targets: ["FeatherDemo"]),
  ],
  targets: rooms + testedRooms.map { tests(of: $0) } + [
    // The plugin puts the samples of the documentation into the excluded files.
    tests(of: "WebServices", exclude: ["Documentation/Samples"], plugins: ["DocumentationSamples"]),
    .plugin(name: "DocumentationSamples", capability: .buildTool()),
    .target(
      name: "CurlShim", cSettings: linksCurl ? [.define("CURL_SHIM_LINKED")] : [],
      linkerSettings: (linksCurl ? ["dl", "curl", "z"] : ["dl"]).map { .linkedLibrary($0, .when(platforms: [.linux])) }),
    .target(
      name: "WebServices", dependencies: rooms.map { .target(name: $0.name) },
      exclude: rooms.compactMap { $0.path?.split(separator: "/").last.map(String.init) }, swiftSettings: settings),
    // Apart from the cassettes, whose trait needs Swift Testing: an app with fakes can't link that.
    .target(
      name: "WebServicesDoubles", dependencies: ["WebServicesCore"], path: "Sources/WebServicesTesting/Doubles",
      swiftSettings: settings),
    .target(
      name: "WebServicesTesting", dependencies: ["WebServicesDoubles"], exclude: ["Doubles"], swiftSettings: settings),
    .executableTarget(
      name: "FeatherDemo", dependencies: ["WebServices", "WebServicesDoubles"], swiftSettings: settings),
    .testTarget(
      name: "WebServicesTestSupport", dependencies: ["WebServices", "WebServicesTesting"], swiftSettings: settings),
    .testTarget(
      name: "WebServicesTestingTests", dependencies: ["WebServices", "WebServicesTesting", "WebServicesTestSupport"],
      exclude: ["Cassettes/Cassettes"], swiftSettings: settings),
    // Real clients call real servers at random. The benchmark package has the sources in RandomRun too, over a link.
    .testTarget(
      name: "RandomRunTests", dependencies: ["WebServices", "WebServicesTesting"], swiftSettings: settings),
    // One thread simulates many clients and servers. The benchmark package has the sources in World too, over a link.
    .testTarget(
      name: "SimulationTests", dependencies: ["WebServices"], path: "Tests/Simulation", swiftSettings: settings),
    .testTarget(
      name: "FeatherDemoTests", dependencies: ["FeatherDemo", "WebServicesTestSupport"], swiftSettings: settings),
  ]
)

/// The names of test targets that aren't built. `.ci/run` names those that it doesn't run with the thread sanitizer.
let withoutTests = Context.environment["WEBSERVICES_WITHOUT_TESTS"]?.split(whereSeparator: \.isWhitespace) ?? []
package.targets.removeAll { target in withoutTests.contains { $0 == target.name } }
