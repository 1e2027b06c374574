import Foundation

/// A failed system call.
struct SystemError: Error, CustomStringConvertible {
  let call: String
  let code: Int32

  init(_ call: String, code: Int32 = errno) {
    self.call = call
    self.code = code
  }

  var description: String { "\(call): \(String(cString: strerror(code)))" }
}

typealias PollEntry = pollfd

/// The POSIX calls of the server. `System+Platform.swift` has what differs between systems. A call is qualified with
/// `Foundation`, which exports the C library, where a method here has the same name.
enum System {
  static let readable = Int16(POLLIN)
  static let writable = Int16(POLLOUT)
  static let failed = Int16(POLLERR | POLLHUP | POLLNVAL)

  /// The result of a non-blocking read or write.
  enum Transfer {
    case bytes(Int)
    case wouldBlock
    case failed
  }

  /// The result of accepting a connection.
  enum Accepted {
    case connection(Int32)
    case none
    case noDescriptorLeft
  }

  /// Waits until a descriptor is ready, the timeout passes or a signal comes; `nil` waits without a limit.
  static func poll(_ entries: inout [PollEntry], timeout: Double?) {
    // Rounded up, or the loop would wake before the time and spin. An hour at most, since the argument has 32 bits.
    let milliseconds = timeout.map { Int32(max(0, min($0 * 1000, 3_600_000)).rounded(.up)) } ?? -1
    // After a signal the entries have the events of the call before. These are harmless, because no call blocks.
    _ = Foundation.poll(&entries, nfds_t(entries.count), milliseconds)
  }

  static func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError("pipe") }
    ends.forEach(prepare)
    return (ends[0], ends[1])
  }

  static func writeByte(to descriptor: Int32) {
    var byte: UInt8 = 1
    while write(descriptor, &byte, 1) < 0, errno == EINTR {}
  }

  static func drain(_ descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) < 0, errno == EINTR {}
  }

  static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    transfer { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
  }

  /// Sends without blocking, and without the signal SIGPIPE if the connection is closed.
  static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Transfer {
    transfer { Foundation.send(descriptor, bytes.baseAddress, bytes.count, sendFlags) }
  }

  private static func transfer(_ call: () -> Int) -> Transfer {
    while true {
      let count = call()
      if count >= 0 { return .bytes(count) }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed
    }
  }

  static func acceptConnection(_ listener: Int32) -> Accepted {
    while true {
      let descriptor = accept(listener, nil, nil)
      if descriptor >= 0 {
        prepare(descriptor)
        // Each step's bytes go out at once. Nagle's algorithm would hold back a second small piece.
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, to: Int32(1))
        return .connection(descriptor)
      }
      switch errno {
      // A client that left before it was accepted isn't a failure of the listener.
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .noDescriptorLeft
      default: return .none
      }
    }
  }

  static func closeDescriptor(_ descriptor: Int32) {
    _ = close(descriptor)
  }

  static func shutDownWriting(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Ends a connection or a listener, and closes its socket. `close` alone would tell the other end nothing while a
  /// process that another thread is just starting has a copy of the descriptor.
  static func closeSocket(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    closeDescriptor(descriptor)
  }

  /// Closes a connection with a reset: a linger time of 0 seconds discards what isn't sent.
  static func resetSocket(_ descriptor: Int32) {
    setOption(descriptor, SOL_SOCKET, SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
    disconnect(descriptor)
    closeDescriptor(descriptor)
  }

  static func setOption<Value>(_ descriptor: Int32, _ level: Int32, _ name: Int32, to value: Value) {
    withUnsafeBytes(of: value) { bytes in
      _ = setsockopt(descriptor, level, name, bytes.baseAddress, socklen_t(bytes.count))
    }
  }

  /// Makes the socket non-blocking, not inherited by child processes, and free of SIGPIPE.
  static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    preventSignal(descriptor)
  }
}
