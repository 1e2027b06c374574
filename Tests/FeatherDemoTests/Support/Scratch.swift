import Foundation

/// A temporary folder, deleted when this object is released.
final class Scratch: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("FeatherDemo-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The names of the files in the folder.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

  /// Waits until a hidden file has bytes; `false` if none has within half a minute.
  func waitForHiddenBytes() async throws -> Bool {
    for _ in 0..<3_000 {
      if try names.contains(where: { try $0.hasSuffix(".partial") && !content($0).isEmpty }) { return true }
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    return false
  }

  func content(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }
}
