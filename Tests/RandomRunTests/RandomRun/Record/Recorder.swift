import Foundation

/// A value behind a lock.
final class Guarded<Value: Sendable>: @unchecked Sendable {
  // The lock guards `value`.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func withLock<Output>(_ body: (inout Value) throws -> Output) rethrows -> Output {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

/// Records the observations of clients and servers. Entries never change.
final class Recorder: Sendable {
  private struct State: Sendable {
    var entries: [Record.Entry] = []
    var open: Set<Int> = []
    var received: Set<Int> = []
    /// The number of servers that are about to push.
    var pushes = 0
  }

  private let state = Guarded(State())
  private let start = DispatchTime.now().uptimeNanoseconds

  var time: Double { Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 }

  func add(_ sight: Sight) {
    state.withLock { state in
      state.entries.append(Record.Entry(time: time, sight: sight))
      switch sight {
      case .started(let call): state.open.insert(call)
      case .ended(let call, _): state.open.remove(call)
      case .received(let reception): if let call = reception.call { state.received.insert(call) }
      default: break
      }
    }
  }

  /// Searches a text of the library for secrets.
  func check(_ source: String, _ text: String) {
    let secrets = Secret.all(in: text)
    guard !secrets.isEmpty else { return }
    let place = text.range(of: secrets.first?.text ?? "zqS")?.lowerBound ?? text.startIndex
    let lead = text[..<place].suffix(60)
    add(.leaked(source: source, secrets: secrets, excerpt: "\(lead)\(text[place...].prefix(40))"))
  }

  /// Reserves a call that is about to start. Returns `false` while a server is about to push, because a client couldn't
  /// tell the push from its response.
  func reserve(_ call: Int) -> Bool {
    state.withLock { state in
      guard state.pushes == 0 else { return false }
      state.open.insert(call)
      return true
    }
  }

  /// Returns whether a server may push after the response to the call: only if the client has no other call in
  /// progress. The server then calls `endPush()`.
  func beginPush(behind call: Int, of others: Set<Int>) -> Bool {
    state.withLock { state in
      guard state.open.intersection(others).subtracting([call]).isEmpty else { return false }
      state.pushes += 1
      return true
    }
  }

  func endPush() { state.withLock { $0.pushes -= 1 } }

  var entries: [Record.Entry] { state.withLock { $0.entries } }
  var openCalls: Set<Int> { state.withLock { $0.open } }

  func isReceived(_ call: Int) -> Bool { state.withLock { $0.received.contains(call) } }
}
