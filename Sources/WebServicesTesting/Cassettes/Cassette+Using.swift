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
  ///   - test: the test. Its session ends with the test, also if a service invalidates the session before. Of the
  ///     requests that are in progress when the test ends, only streams and downloads are recorded, as far as they
  ///     came.
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
      let value = try await test(TestSession(next: session))
      let unused = matching.isOrdered ? session.remaining.map(\.request.description) : []
      guard unused.isEmpty else { throw CassetteError.unused(unused) }
      return value
    }
    let session = RecordingSession(try live(), redaction: redaction)
    defer { session.invalidateAndCancel() }
    let value = try await test(TestSession(next: session))
    let cassette = try session.cassette()
    // If the folder can't be made, writing the file says so.
    try? FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try cassette.write(to: file)
    return value
  }
}

/// The session of a test, which ends with the test. A `Server` ends the session of its configuration at each swap.
private struct TestSession: WrappingSession {
  let next: any URLSessionProtocol

  func transferTask(with request: TransportRequest, completion: @escaping Completion) -> any URLSessionTaskProtocol {
    next.transferTask(with: request, completion: completion)
  }

  /// Does nothing. The service or the server has cancelled its requests.
  func invalidateAndCancel() {}
}
