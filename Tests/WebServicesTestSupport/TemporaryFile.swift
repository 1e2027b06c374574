/// A temporary folder, deleted when this object is released.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("WebServicesTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// A file in a temporary folder of its own, deleted with the last copy of this value.
struct TemporaryFile: Sendable {
  private let folder: TemporaryFolder
  let url: URL

  init(_ content: Data, name: String = "file.bin") throws {
    folder = try TemporaryFolder()
    url = folder.url.appendingPathComponent(name)
    try content.write(to: url)
  }
}
