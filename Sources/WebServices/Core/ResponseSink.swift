import Foundation

/// Where the bytes of an answer that is found good go. Those of another one are always kept beside the response, so that
/// an error has them.
enum ResponseSink: Sendable {
  case memory
  /// What is there of the file when the request fails, is left to who asked.
  case file(AnswerFile)
  case stream(StreamRelay)

  /// Whether a timeout counts from the last byte: an answer of any length may take any time.
  var countsFromLastByte: Bool {
    if case .memory = self { false } else { true }
  }

  var file: AnswerFile? {
    if case .file(let file) = self { file } else { nil }
  }
}

/// What the engine has to know of how an answer will be read.
struct ReadingPlan: Sendable {
  /// The `Accept` field.
  var accept: String
  var sink = ResponseSink.memory
}
