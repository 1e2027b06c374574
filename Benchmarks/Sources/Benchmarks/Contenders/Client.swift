import Foundation

/// A running contender (an HTTP client to measure) with its connections.
protocol Client: Sendable {
  /// Prepares a request that is then sent many times.
  func sending(of transfer: Workload.Transfer) throws -> Sending
}

/// A function that sends one request, and decodes and checks the response. `RequestLoop` and `RequestBurst` call the
/// function many times.
enum Sending: Sendable {
  /// Starts a request. The handler runs once, on any thread, with the error if there was one.
  case completion(@Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void)
  /// Sends a request and throws its error.
  case asynchronous(@Sendable () async throws -> Void)
}

/// The response isn't the one that the benchmark server sends.
enum WrongResponse: Error {
  case status(Int)
  case noJokes
  case bytes(Int)
}
