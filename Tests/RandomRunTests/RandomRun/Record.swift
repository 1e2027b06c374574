import Foundation
import WebServicesHTTP

/// An observation of a client or a server.
enum Sight: Sendable {
  case started(call: Int)
  case ended(call: Int, Outcome)
  case cancelled(call: Int)
  case received(Reception)
  /// Bytes that nobody requested were sent after the response to this call.
  case pushed(call: Int)
  /// A promise is broken, as a client, a server or the run has seen.
  case broken(String)
}

/// The outcome of a call.
struct Outcome: Sendable {
  /// The error's kind; `nil` for a success.
  var failure: String?
  /// The lines that were read, also those before a failure.
  var lines: [String] = []
  /// The number in the response's header field `X-Call`, and in the one of bytes that nobody requested.
  var call: Int?
  var pushed: Int?
  /// Whether the completion ran on the right queue.
  var isInPlace = true
}

/// A request that a server received.
struct Reception: Sendable {
  var origin: Int
  /// The number of the request among all requests of the origin.
  var order: Int
  var method: String
  var path: String
  var isRefused = false
}

/// All observations of a run, in order. The time of an entry is in seconds since the run began.
struct Record: Sendable {
  typealias Entry = (time: Double, sight: Sight)

  var entries: [Entry] = []
  /// The longest delay of a timer by the machine, in seconds.
  var longestStall = 0.0
  /// The most bytes by which the process has grown; `nil` if it did other work.
  var growth: Int?
}

/// Records the observations of clients and servers. Entries never change.
final class Recorder: Sendable {
  private struct State: Sendable {
    var entries: [Record.Entry] = []
    var open: Set<Int> = []
    /// The number of requests received, by call.
    var requests: [Int: Int] = [:]
  }

  private let state = Locked(State())
  private let start = DispatchTime.now().uptimeNanoseconds

  var time: Double { Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 }

  func add(_ sight: Sight) {
    state.withLock { state in
      state.entries.append((time, sight))
      if case .started(let call) = sight { state.open.insert(call) }
      if case .ended(let call, _) = sight { state.open.remove(call) }
    }
  }

  /// Returns how many requests of the call were received before this one.
  func countRequest(of call: Int) -> Int {
    state.withLock { state in
      defer { state.requests[call, default: 0] += 1 }
      return state.requests[call, default: 0]
    }
  }

  func isReceived(_ call: Int) -> Bool { state.withLock { $0.requests[call] != nil } }

  func hasPushed(_ call: Int) -> Bool {
    entries.contains { if case .pushed(call) = $0.sight { true } else { false } }
  }

  var entries: [Record.Entry] { state.withLock { $0.entries } }
  var openCalls: Int { state.withLock { $0.open.count } }
}
