@testable import WebServicesTestSupport

extension TemporaryFolder {
  /// The path of a file in the folder.
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The names of the files in the folder.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

  func content(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }
}

/// Waits until the condition is met; `false` if it isn't met within half a minute.
func isMet(_ condition: () throws -> Bool) async throws -> Bool {
  let deadline = SystemClock.shared.now + 30
  while try !condition() {
    guard SystemClock.shared.now < deadline else { return false }
    try await Task.sleep(nanoseconds: 5_000_000)
  }
  return true
}
