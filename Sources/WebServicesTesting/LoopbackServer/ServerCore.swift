import Foundation
import WebServices

/// What the server's thread and all others share.
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

/// What other threads ask of the server's thread.
enum Command: Sendable {
  case answer(LoopbackServer.Answer, connection: Int, exchange: Int)
  case resume(connection: Int, ticket: Int)
  case stop
}

/// Commands on their way to the server's thread, and the pipe that wakes it.
final class Mailbox: Sendable {
  private struct State {
    var commands: [Command] = []
    var isWaking = false
    var isClosed = false
  }

  /// Readable when there are commands.
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

  /// Hands a command over; after `close` it goes nowhere.
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
