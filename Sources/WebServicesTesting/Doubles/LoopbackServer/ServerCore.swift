import Foundation
import WebServicesCore

/// The state that the server's thread shares with other threads.
final class ServerCore: Sendable {
  let mailbox: Mailbox
  let limits: LoopbackServer.Limits
  let records: Watched<Records>
  let router = Locked(Router())

  init(mailbox: Mailbox, limits: LoopbackServer.Limits) {
    self.mailbox = mailbox
    self.limits = limits
    records = Watched(Records(limit: limits.recordedRequests))
  }
}

/// A command from another thread to the server's thread. The numbers name a connection that may be gone by then.
enum Command: Sendable {
  /// The response of the handler for which the connection waits.
  case response(LoopbackServer.Response, connection: Int)
  /// The gate at which the connection waits has opened.
  case resume(connection: Int)
  case stop
}

/// The queue of commands to the server's thread. `post` adds a command from any thread, and a byte in a pipe wakes the
/// server's thread from `poll`.
final class Mailbox: Sendable {
  private struct State {
    var commands: [Command] = []
    var isClosed = false
  }

  /// The end that becomes readable when a command waits.
  let wakeDescriptor: Int32
  private let writingEnd: Int32
  /// Guards the commands, and keeps the descriptors from being used after `close`.
  private let state = Locked(State())

  init() throws {
    let pipe = try System.makePipe()
    wakeDescriptor = pipe.reading
    writingEnd = pipe.writing
  }

  deinit {
    close()
  }

  /// Posts a command. After `close` commands are dropped.
  func post(_ command: Command) {
    state.withLock { state in
      guard !state.isClosed else { return }
      // One byte in the pipe is enough for any number of commands.
      if state.commands.isEmpty { System.writeByte(to: writingEnd) }
      state.commands.append(command)
    }
  }

  /// Removes and returns all commands. Called by the server's thread.
  func takeAll() -> [Command] {
    state.withLock { state in
      System.drain(wakeDescriptor)
      defer { state.commands = [] }
      return state.commands
    }
  }

  func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      // Under the lock, since the system may give the number of a closed descriptor to another file.
      System.closeDescriptor(wakeDescriptor)
      System.closeDescriptor(writingEnd)
    }
  }
}
