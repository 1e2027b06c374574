import OpenAPIRuntime
import WebServices

private let chunk = HTTPBody.ByteChunk(repeating: 7, count: 100_000)

/// A body that can be iterated again. Its length isn't known, so it is streamed.
let bytes = HTTPBody(chunk, length: .unknown, iterationBehavior: .multiple)

/// A body that can be iterated once.
func pieces() -> HTTPBody {
  let pieces = AsyncStream { continuation in
    for _ in 0..<3 { continuation.yield(chunk) }
    continuation.finish()
  }
  return HTTPBody(pieces, length: .unknown)
}

extension Client {
  /// Stores a recording, and says whether the server took it.
  func upload(_ body: HTTPBody) async throws -> String {
    switch try await uploadRecording(.init(path: .init(id: "7"), body: .binary(body))) {
    case .noContent: "stored"
    case .undocumented: "refused"
    }
  }

  /// Passes each piece of a recording to a closure when it comes.
  func play(_ id: String, to listener: @Sendable (String) -> Void) async throws {
    let client = self
    // sample: openAPIStream
    let recording = try await client.playRecording(
      .init(path: .init(id: id)))
    for try await bytes in try recording.ok.body.binary {
      listener(String(decoding: bytes, as: UTF8.self))
    }
    // end of sample
  }

  /// Prints a joke, or what is wrong.
  func tell(_ id: String) async throws {
    let client = self
    // sample: openAPIErrors
    do {
      let output = try await client.getJoke(.init(path: .init(id: id)))
      print(try output.ok.body.json.text)
    } catch let error as ClientError {
      guard let cause = error.underlyingError as? WebServiceError else {
        throw error
      }
      print(cause.friendlyDescription)
    }
    // end of sample
  }
}
