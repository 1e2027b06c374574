import BenchmarkReport
import Foundation

/// A contender at work, with its connections.
protocol Client: Sendable {
  /// Prepares what is then sent many times.
  func sending(of exchange: Workload.Exchange) throws -> Sending
}

/// How one exchange is done, decoding and checking included.
enum Sending: Sendable {
  /// Starts an exchange; the handler runs once, on any thread, with what went wrong.
  case completion(@Sendable (@escaping @Sendable ((any Error)?) -> Void) -> Void)
  /// Does an exchange, or throws what went wrong.
  case asynchronous(@Sendable () async throws -> Void)
}

/// An answer that isn't the one that the server gives.
enum WrongAnswer: Error {
  case status(Int)
  case noJokes
  case bytes(Int)
}
