import Foundation
import WebServicesCore

/// Records requests and their outcomes. Call `begin` before a request is sent and `end` with its outcome, from any
/// thread.
///
/// Secrets are hidden when the cassette is made, which keeps that work off the transport's threads.
final class Recorder: Sendable {
  private struct Entry: Sendable {
    var request: TransportRequest
    var content: RecordedContent
    /// `nil` while the request is in progress. Such a request isn't part of the cassette.
    var outcome: Result<WebServiceResponse, TransportError>?
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    var byteCount = 0
    var isOverLimit = false
  }

  /// The most requests of a cassette.
  private static let entryLimit = 10_000
  /// The assumed size of an entry without its bodies, in bytes.
  private static let overhead = 1024

  private let redaction: Redaction
  let limit: Int
  /// Guards the entries. Bodies are read and redacted without the lock.
  private let state = Locked(State())

  init(redaction: Redaction, limit: Int) {
    self.redaction = redaction
    self.limit = max(0, limit)
  }

  /// Records the start of a request. Returns the number to use in later calls; `nil` if the request isn't recorded.
  func begin(_ request: TransportRequest) -> Int? {
    var request = request
    let content = RecordedContent(request, limit: limit)
    // A file that is too large or can't be read leaves a gap in the recording.
    if case .omitted("file") = content { state.withLock { $0.isOverLimit = true } }
    // The recorder keeps bytes and none of the caller's objects.
    if case .data(let data) = content { request.body = .data(data) } else { request.body = .none }
    request.receiver = nil
    request.onProgress = nil
    // The engine's attachment and an app's options may refer to the service, whose session has this recorder.
    let secrets = (request.secrets?.secrets ?? []) + request.options.secrets
    request.secrets = nil
    request.options = RequestOptions { $0.secrets = secrets }
    request.attachment = nil
    return state.withLock { [request] state in
      state.byteCount += content.count + Self.overhead
      guard state.byteCount <= limit, state.entries.count < Self.entryLimit, !state.isOverLimit else {
        state.isOverLimit = true
        return nil
      }
      state.entries.append(Entry(request: request, content: content))
      return state.entries.count - 1
    }
  }

  /// Records the outcome of a request. An outcome of an invalidated session isn't recorded.
  func end(_ number: Int?, with outcome: Result<WebServiceResponse, TransportError>) {
    guard let number else { return }
    if case .failure(let error) = outcome, error.kind == .invalidated { return }
    let size = (try? outcome.get())?.body.count ?? 0
    state.withLock { state in
      state.byteCount += size
      guard state.byteCount <= limit else { return state.isOverLimit = true }
      state.entries[number].outcome = outcome
    }
  }

  /// Makes `cassette()` throw: the recording has a gap.
  func noteOverLimit() {
    state.withLock { $0.isOverLimit = true }
  }

  func cassette() throws(CassetteError) -> Cassette {
    let state = state.withLock { $0 }
    guard !state.isOverLimit else { throw .tooLarge(limit: limit) }
    return Cassette(exchanges: state.entries.compactMap(recorded))
  }

  private func recorded(_ entry: Entry) -> Cassette.Exchange? {
    guard let outcome = entry.outcome else { return nil }
    let redaction = redaction.hiding(secretsOf: [entry.request])
    let request = Cassette.Request(entry.request, content: entry.content, redaction: redaction)
    switch outcome {
    case .success(let response):
      return Cassette.Exchange(
        request: request, outcome: .response(Cassette.Response(response, redaction: redaction)))
    case .failure(let error):
      return Cassette.Exchange(
        request: request,
        outcome: .failure(
          error.kind, message: redaction.text(error.message), mayHaveReachedServer: error.mayHaveReachedServer,
          response: error.response.map { Cassette.Response($0, redaction: redaction) }))
    }
  }
}
