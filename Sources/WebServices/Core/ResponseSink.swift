import Foundation

/// Where the bytes of an answer that is found good go. Those of another one are always kept beside the response in the end,
/// so that an error has them.
enum ResponseSink: Sendable {
  case memory
  /// A file that doesn't exist yet. What is there of it when the request fails, is left to who asked.
  case file(URL)
  case stream(StreamRelay)

  /// Whether a timeout counts from the last byte: an answer of any length may take any time.
  var countsFromLastByte: Bool {
    if case .memory = self { false } else { true }
  }

  var isFile: Bool {
    if case .file = self { true } else { false }
  }

  func destination(_ receiver: StreamReceiver?, limit: Int) -> TransportDestination {
    switch self {
    case .memory: .memory(limit: limit)
    case .file(let url): .file(url)
    case .stream: receiver.map { .receiver($0) } ?? .memory(limit: limit)
    }
  }

  /// Makes room for another exchange of the same request.
  func prepare(forExchange exchange: Int) {
    guard exchange > 1, case .file(let url) = self else { return }
    try? FileManager.default.removeItem(at: url)
  }

  /// The answer as validators and parsers are shown it: with the body where it isn't what was asked for.
  ///
  /// - Parameter limit: the bytes that are kept of it.
  func completed(_ response: WebServiceResponse, limit: Int) -> WebServiceResponse {
    guard case .file(let url) = self, !response.isSuccessful else { return response }
    defer { try? FileManager.default.removeItem(at: url) }
    guard let file = try? FileHandle(forReadingFrom: url) else { return response }
    defer { try? file.close() }
    var copy = response
    copy.body = (try? file.read(upToCount: max(0, limit))) ?? Data()
    return copy
  }
}

/// What the engine has to know of how an answer will be read.
struct ReadingPlan: Sendable {
  /// The `Accept` field.
  var accept: String
  var sink = ResponseSink.memory
}
