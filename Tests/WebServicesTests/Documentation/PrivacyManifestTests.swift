import Foundation
import Testing

/// Compares the privacy manifests with the calls in the sources. Apple asks an app for the reasons of such calls, and
/// the app's author knows nothing of them.
@Suite struct PrivacyManifestTests {
  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent()
  }
  /// The folders of the targets that an app may ship.
  private static let targets =
    ["Core", "Files", "Formats", "HTTP", "JSON", "Observability", "Resilience", "Resources", "Server", "Streaming"]
    .map { "Sources/WebServices/\($0)" } + ["Sources/WebServices/Tokens", "Sources/WebServices/Transport"]
    + ["Sources/CurlShim", "Sources/WebServicesTesting"]
  /// The calls of each category that Apple lists. `stat()` without an argument makes an empty value.
  private static let calls = [
    "FileTimestamp": #"\b(stat|fstat|lstat|fstatat)\((?!\))|getattrlist|(reation|odification)Date(Key)?\b"#,
    "SystemBootTime": "systemUptime|mach_absolute_time",
    "DiskSpace": #"\bf?stat(v?)fs\(|volume(Available|Total)Capacity|\.system(Free)?Size\b"#,
    "ActiveKeyboards": "activeInputModes",
    "UserDefaults": "UserDefaults",
  ]

  /// The categories that the sources of a folder call.
  private func called(in target: String) throws -> Set<String> {
    let folder = Self.root.appendingPathComponent(target)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var categories: Set<String> = []
    for name in names where [".swift", ".c", ".h"].contains(where: name.hasSuffix) {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      for line in text.split(separator: "\n") where !line.drop(while: \.isWhitespace).hasPrefix("//") {
        for (category, pattern) in Self.calls where line.range(of: pattern, options: .regularExpression) != nil {
          categories.insert("NSPrivacyAccessedAPICategory\(category)")
        }
      }
    }
    return categories
  }

  private struct Manifest: Decodable {
    struct API: Decodable {
      var NSPrivacyAccessedAPIType: String
      var NSPrivacyAccessedAPITypeReasons: [String]
    }

    var NSPrivacyTracking: Bool
    var NSPrivacyTrackingDomains: [String]
    var NSPrivacyCollectedDataTypes: [String]
    var NSPrivacyAccessedAPITypes: [API]
  }

  @Test(arguments: targets)
  func manifestDeclaresTheCallsOfItsTarget(target: String) throws {
    let file = Self.root.appendingPathComponent(target).appendingPathComponent("PrivacyInfo.xcprivacy")
    let called = try called(in: target)
    let package = try String(contentsOf: Self.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    let rooms = package.components(separatedBy: "roomsWithPrivacyManifest = [").last?.prefix { $0 != "]" }
    #expect(rooms?.contains("\"\(file.deletingLastPathComponent().lastPathComponent)\"") == !called.isEmpty)
    guard let data = try? Data(contentsOf: file) else {
      #expect(called == [], "\(target) needs a manifest")
      return
    }
    let manifest = try PropertyListDecoder().decode(Manifest.self, from: data)
    #expect(Set(manifest.NSPrivacyAccessedAPITypes.map(\.NSPrivacyAccessedAPIType)) == called)
    #expect(manifest.NSPrivacyAccessedAPITypes.allSatisfy { !$0.NSPrivacyAccessedAPITypeReasons.isEmpty })
    #expect(!manifest.NSPrivacyTracking)
    #expect(manifest.NSPrivacyTrackingDomains == [] && manifest.NSPrivacyCollectedDataTypes == [])
  }

  @Test func oneTargetIsFoundToReadMetadata() throws {
    #expect(try called(in: "Sources/WebServices/Files") == ["NSPrivacyAccessedAPICategoryFileTimestamp"])
  }
}
