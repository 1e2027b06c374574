import Foundation
import WebServices

/// The state that the server's thread shares with other threads.
final class ServerCore: Sendable {
  let mailbox: Mailbox
  let limits: LoopbackServer.Limits
  let records: Records
  let router = Locked(Router())
  let handlers = HandlerQueues()

  init(mailbox: Mailbox, limits: LoopbackServer.Limits) {
    self.mailbox = mailbox
    self.limits = limits
    records = Records(limit: limits.recordedRequests)
  }
}

/// A command from another thread to the server's thread.
enum Command: Sendable {
  case response(LoopbackServer.Response, connection: Int, exchange: Int)
  case resume(connection: Int, ticket: Int)
  case stop
}

/// The queue of commands to the server's thread, and the pipe that wakes that thread.
final class Mailbox: Sendable {
  private struct State {
    var commands: [Command] = []
    var isWaking = false
    var isClosed = false
  }

  /// The end that becomes readable when a command waits.
  let wakeDescriptor: Int32
  private let writingEnd: Int32
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
      state.commands.append(command)
      guard !state.isWaking else { return }
      state.isWaking = true
      System.writeByte(to: writingEnd)
    }
  }

  func takeAll() -> [Command] {
    state.withLock { state in
      if state.isWaking {
        System.drain(wakeDescriptor)
        state.isWaking = false
      }
      defer { state.commands = [] }
      return state.commands
    }
  }

  func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      state.commands = []
      System.closeDescriptor(wakeDescriptor)
      System.closeDescriptor(writingEnd)
    }
  }
}
