#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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

/// The POSIX calls of the server. The differences between systems are hidden here. A call is qualified with its module
/// where a method here has the same name.
enum System {
  static let readable = Int16(POLLIN)
  static let writable = Int16(POLLOUT)
  static let failed = Int16(POLLERR | POLLHUP | POLLNVAL)

  /// The client has closed its sending direction. A connection that isn't reading waits for this event. Only Linux has
  /// the event: POLLRDHUP, which needs _GNU_SOURCE.
  #if os(Linux)
    static let peerEnded: Int16 = 0x2000
  #else
    static let peerEnded: Int16 = 0
  #endif

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

  /// The time of a monotonic clock, in seconds.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Waits until a descriptor is ready or the timeout passes; `nil` waits without a limit.
  static func poll(_ entries: inout [PollEntry], timeout: Double?) -> Int {
    // Rounded up, or the loop would wake before the time and spin. An hour at most, since the argument has 32 bits.
    let milliseconds = timeout.map { Int32(max(0, min($0 * 1000, 3_600_000)).rounded(.up)) } ?? -1
    #if canImport(Darwin)
      let result = Darwin.poll(&entries, nfds_t(entries.count), milliseconds)
    #elseif canImport(Musl)
      let result = Musl.poll(&entries, nfds_t(entries.count), milliseconds)
    #else
      let result = Glibc.poll(&entries, nfds_t(entries.count), milliseconds)
    #endif
    return max(0, Int(result))
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
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count > 0 || (count < 0 && errno == EINTR) { continue }
      return
    }
  }

  static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count >= 0 { return .bytes(count) }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed
    }
  }

  /// Sends without blocking. `MSG_NOSIGNAL` and, on Darwin, `prepare` keep a closed connection from raising SIGPIPE.
  static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Transfer {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    while true {
      #if canImport(Darwin)
        let count = Darwin.send(descriptor, bytes.baseAddress, bytes.count, flags)
      #elseif canImport(Musl)
        let count = Musl.send(descriptor, bytes.baseAddress, bytes.count, flags)
      #else
        let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
      #endif
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

  /// Makes the next `close` send a reset: a linger time of 0 seconds discards what isn't sent.
  static func resetOnClose(_ descriptor: Int32) {
    setOption(descriptor, SOL_SOCKET, SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
  }

  static func setOption<Value>(_ descriptor: Int32, _ level: Int32, _ name: Int32, to value: Value) {
    withUnsafeBytes(of: value) { bytes in
      _ = setsockopt(descriptor, level, name, bytes.baseAddress, socklen_t(bytes.count))
    }
  }

  /// Makes the socket non-blocking, not inherited by child processes, and free of SIGPIPE. Linux needs a flag of `send`
  /// for the last.
  static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    #if canImport(Darwin)
      setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, to: Int32(1))
    #endif
  }
}
