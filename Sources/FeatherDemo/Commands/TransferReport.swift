import Foundation
import WebServices

/// The result of a download or an upload: the file, the size and the duration.
struct TransferReport: Encodable, Equatable, Sendable {
  var file: String
  var bytes: Int64
  var seconds: TimeInterval

  /// Formats the result for people, such as `Downloaded 5.0 MB to a.bin in 0.8 s (6.2 MB/s).`
  func line(_ verb: String, _ preposition: String, _ place: String) -> String {
    let duration = seconds < 1 ? Wording.milliseconds(seconds) : "\(Wording.fixed(seconds, 1)) s"
    let rate = seconds > 0 ? " (\(Wording.bytes(Double(bytes) / seconds))/s)" : ""
    return "\(verb) \(Wording.bytes(bytes)) \(preposition) \(Wording.oneLine(place)) in \(duration)\(rate)."
  }

  /// Awaits a request. An interruption cancels it and waits for its end, so that no temporary file stays behind.
  @MainActor
  static func guarded<Value: Sendable>(
    _ start: (@escaping @Sendable (Result<Value, WebServiceError>) -> Void) -> WebServiceTask
  ) async throws(WebServiceError) -> Value {
    let result: Result<Value, WebServiceError> = await withUnsafeContinuation { continuation in
      Interruption.guarding {
        let isOver = DispatchSemaphore(value: 0)
        let task = start { result in
          isOver.signal()
          // The process is about to end. Resuming would let the command print a failure.
          guard !Interruption.isEnding else { return }
          continuation.resume(returning: result)
        }
        return {
          task.cancel()
          // The process ends even if the transfer doesn't.
          _ = isOver.wait(timeout: .now() + 2)
        }
      }
    }
    Interruption.stopGuarding()
    return try result.get()
  }
}
