import Dispatch
import Foundation

/// Hands the elements of a stream to a caller's closures, on the caller's queue.
final class StreamDelivery<Element: Sendable>: @unchecked Sendable {
  // `head` and `decoder` are used by one signal after the other, each in a block on the caller's queue that is enqueued
  // only when the one before it is done; the relay's lock orders them.
  private var head: WebServiceResponse?
  private let decoder: StreamFormat<Element>.Decoder

  private let reading: StreamReading
  private let queue: DispatchQueue
  private let onElement: @Sendable (Element) -> Void
  private let completion: @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void

  init(
    reading: StreamReading, format: StreamFormat<Element>, decoder: JSONDecoder, queue: DispatchQueue,
    onElement: @escaping @Sendable (Element) -> Void,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) {
    self.reading = reading
    self.queue = queue
    self.onElement = onElement
    self.completion = completion
    self.decoder = format.makeDecoder(decoder)
  }

  func takeNext() {
    reading.next { signal in
      self.queue.async { self.take(signal) }
    }
  }

  private func take(_ signal: StreamRelay.Signal) {
    switch (head, signal) {
    case (nil, let signal): open(with: signal)
    case (_, .head): takeNext()
    case (_, .piece(let data)):
      decoder.append(data)
      if deliver() { takeNext() }
    case (let head?, .end(let outcome)): end(head: head, outcome)
    }
  }

  private func open(with signal: StreamRelay.Signal) {
    switch reading.opened(by: signal) {
    case .success(let (response, nil)):
      head = response
      takeNext()
    case .success(let (response, body?)):
      head = response
      decoder.append(body)
      end(head: response, .success(response))
    case .failure(let error):
      completion(.failure(error))
    }
  }

  private func end(head: WebServiceResponse, _ outcome: Result<WebServiceResponse, WebServiceError>) {
    if case .success = outcome {
      decoder.finish()
      guard deliver() else { return }
    }
    completion(reading.ending(outcome).map { .failure($0) } ?? .success(head))
  }

  /// Hands on what is complete.
  ///
  /// - Returns: whether the bytes could be decoded.
  private func deliver() -> Bool {
    do {
      // Once the request has ended, its end is all that is delivered.
      while !reading.isInterrupted, let element = try decoder.next() { onElement(element) }
      return true
    } catch {
      completion(.failure(reading.fail(error)))
      return false
    }
  }
}
