import WebServicesCore

/// The server's thread: `run()` waits with `poll` for the listening socket, the mailbox and all connections, and serves
/// those that are ready. Only this thread touches the state here, and no test code runs on it.
final class EventLoop {
  let core: ServerCore
  /// The buffer for received bytes, before a parser consumes them.
  let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

  private static let mailboxSlot = 0
  private static let listenerSlot = 1

  private let listener: Int32
  private var entries: [PollEntry]
  /// The connections in the order of `entries`, which begins with the mailbox and the listener.
  private var slots: [Connection] = []
  /// All connections by number, because a command or a timer may name one that is closed.
  private var connections: [Int: Connection] = [:]
  /// The timers, the latest first, because the last element is removed without moving the others.
  private var timers: [(time: Double, alarm: Alarm)] = []
  private var isRunning = true

  /// The purpose of a timer.
  private enum Alarm {
    /// The pause of the connection with this number ends.
    case pause(Int)
    /// The throttle of the connection with this number lets the next bytes through.
    case throttle(Int)
    /// Listens again after a pause without free descriptors.
    case acceptAgain
  }

  init(core: ServerCore, listener: Int32) {
    self.core = core
    self.listener = listener
    entries = [core.mailbox.wakeDescriptor, listener].map { PollEntry(fd: $0, events: System.readable, revents: 0) }
  }

  deinit {
    scratch.deallocate()
  }

  func run() {
    while isRunning {
      let timeout = timers.last.map { $0.time - MonotonicTime.seconds }
      System.poll(&entries, timeout: timeout)
      if entries[Self.mailboxSlot].revents != 0 { core.mailbox.takeAll().forEach(execute) }
      if entries[Self.listenerSlot].revents != 0 { acceptConnections() }
      serveReadyConnections()
      fireTimers()
    }
    // `close` removes each connection from `slots`; the loop goes over the array as it was.
    slots.forEach { $0.close() }
    System.closeSocket(listener)
    core.mailbox.close()
    core.records.withLock { $0.isClosed = true }
  }

  private func execute(_ command: Command) {
    switch command {
    case .response(let response, let connection): connections[connection]?.handlerResponded(response)
    case .resume(let connection): connections[connection]?.resume()
    case .stop:
      isRunning = false
    }
  }

  private func acceptConnections() {
    // Limits the number, so that many new connections can't starve the open ones.
    for _ in 0..<256 {
      switch System.acceptConnection(listener) {
      case .none: return
      case .noDescriptorLeft:
        // The listener stays readable without a free descriptor, so the loop would spin without this pause.
        entries[Self.listenerSlot].events = 0
        setTimer(.acceptAgain, at: MonotonicTime.seconds + 0.02)
        return
      case .connection(let descriptor):
        let number = core.records.withLock { $0.connectionOpened() }
        let connection = Connection(number: number, descriptor: descriptor, slot: slots.count, loop: self)
        slots.append(connection)
        entries.append(PollEntry(fd: descriptor, events: System.readable, revents: 0))
        connections[number] = connection
      }
    }
  }

  /// Handles the ready connections. They are collected first, because handling one may close it and move others in
  /// `slots`.
  private func serveReadyConnections() {
    let ready = zip(slots, entries.dropFirst(2)).filter { $0.1.revents != 0 }
    for (connection, entry) in ready { connection.serve(entry.revents) }
  }

  private func fireTimers() {
    let now = MonotonicTime.seconds
    while let next = timers.last, next.time <= now {
      timers.removeLast()
      switch next.alarm {
      case .pause(let number): connections[number]?.pauseEnded()
      case .throttle(let number): connections[number]?.proceed()
      case .acceptAgain: entries[Self.listenerSlot].events = System.readable
      }
    }
  }
}

// Calls from a connection.
extension EventLoop {
  func endPause(of connection: Connection, after seconds: Double) {
    setTimer(.pause(connection.number), at: MonotonicTime.seconds + seconds)
  }

  func endThrottle(of connection: Connection, at time: Double) {
    setTimer(.throttle(connection.number), at: time)
  }

  private func setTimer(_ alarm: Alarm, at time: Double) {
    timers.insert((time, alarm), at: timers.firstIndex { $0.time <= time } ?? timers.endIndex)
  }

  func setInterest(_ events: Int16, of connection: Connection) {
    entries[connection.slot + 2].events = events
  }

  /// Removes a connection. The last connection moves to its index.
  func remove(_ connection: Connection) {
    connections[connection.number] = nil
    let slot = connection.slot
    let last = slots.removeLast()
    let entry = entries.removeLast()
    if last !== connection {
      slots[slot] = last
      entries[slot + 2] = entry
      last.slot = slot
    }
    core.records.withLock { $0.openConnections -= 1 }
  }
}
