import Foundation

/// The URL of the built executable, which lies next to the test bundle.
enum DemoExecutable {
  struct NotFound: Error {
    let searched: [String]
  }

  static func url() throws -> URL {
    let candidates = directories().map { $0.appendingPathComponent("FeatherDemo") }
    guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) })
    else {
      throw NotFound(searched: candidates.map(\.path))
    }
    return found
  }

  private static func directories() -> [URL] {
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let program = CommandLine.arguments.first.map { URL(fileURLWithPath: $0) }
    let files = bundles + [program, Bundle.main.executableURL].compactMap { $0 }
    return files.map { $0.deletingLastPathComponent() } + [Bundle.main.bundleURL]
  }
}
