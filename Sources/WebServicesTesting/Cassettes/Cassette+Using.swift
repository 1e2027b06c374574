public import Foundation
public import WebServicesCore

extension Cassette {
  /// Runs a test with a session that replays a file. If there is no such file, the session sends the requests, and the
  /// file is written once the test has ended without an error. To record a file again, delete it.
  ///
  /// - Parameters:
  ///   - file: the `file:` URL of the cassette. Its folder is made if it is missing.
  ///   - matching: selects the recorded response for a request.
  ///   - redaction: the secrets to hide.
  ///   - live: makes the session that sends the requests of a recording.
  ///   - isolation: the actor of the caller. The test and `live` run there.
  ///   - test: the test. Of the requests that are in progress when the test ends, only streams and downloads are
  ///     recorded, as far as they came.
  /// - Throws: the error of the test, or ``CassetteError`` if the file can't be read or written. With
  ///   ``CassetteMatching/strict``, a test that leaves recorded requests unsent fails too.
  public static func use<Value>(
    _ file: URL, matching: CassetteMatching = .strict, redaction: Redaction = .standard,
    live: () throws -> any URLSessionProtocol = { try DefaultSession.make().session },
    isolation: isolated (any Actor)? = #isolation, _ test: (any URLSessionProtocol) async throws -> Value
  ) async throws -> Value {
    if FileManager.default.fileExists(atPath: file.path) {
      let session = ReplayingSession(try Cassette(contentsOf: file), matching: matching, redaction: redaction)
      defer { session.invalidateAndCancel() }
      let value = try await test(session)
      let unused = matching.isOrdered ? session.remaining.map(\.request.description) : []
      guard unused.isEmpty else { throw CassetteError.unused(unused) }
      return value
    }
    let session = RecordingSession(try live(), redaction: redaction)
    defer { session.invalidateAndCancel() }
    let value = try await test(session)
    let cassette = try session.cassette()
    // If the folder can't be made, writing the file says so.
    try? FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try cassette.write(to: file)
    return value
  }
}
