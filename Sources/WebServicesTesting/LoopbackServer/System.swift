#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A call of the operating system's that failed.
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

/// The few calls of POSIX that the server stands on, with what differs between the systems kept in here.
enum System {
  static let readable = Int16(POLLIN)
  static let writable = Int16(POLLOUT)
  static let failed = Int16(POLLERR | POLLHUP | POLLNVAL)

  /// What came of moving bytes without blocking.
  enum Transfer {
    case bytes(Int)
    case wouldBlock
    case failed
  }

  /// What came of taking a connection.
  enum Accepted {
    case connection(Int32)
    case none
    case noDescriptorLeft
  }

  /// Seconds of a clock that only goes forward.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Waits until one of the descriptors is ready or the time is over; `nil` waits for ever.
  static func poll(_ entries: inout [PollEntry], timeout: Double?) -> Int {
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
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, to: Int32(1))
        return .connection(descriptor)
      }
      switch errno {
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

  /// Makes the next `close` send a reset instead of an orderly end.
  static func resetOnClose(_ descriptor: Int32) {
    setOption(descriptor, SOL_SOCKET, SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
  }

  static func setOption<Value>(_ descriptor: Int32, _ level: Int32, _ name: Int32, to value: Value) {
    withUnsafeBytes(of: value) { bytes in
      _ = setsockopt(descriptor, level, name, bytes.baseAddress, socklen_t(bytes.count))
    }
  }
}

extension System {
  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif

  /// No blocking, not inherited by child processes, no SIGPIPE (Linux has a flag of `send` for that).
  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    #if canImport(Darwin)
      setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, to: Int32(1))
    #endif
  }

  /// Opens a socket that listens on 127.0.0.1 or [::1], and says which port it got.
  static func listen(onIPv6 isIPv6: Bool, port: UInt16) throws -> (descriptor: Int32, port: UInt16) {
    guard isIPv6 else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let descriptor = try listen(AF_INET, &address)
      return (descriptor, UInt16(bigEndian: try boundAddress(descriptor, address).sin_port))
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    let descriptor = try listen(AF_INET6, &address)
    return (descriptor, UInt16(bigEndian: try boundAddress(descriptor, address).sin6_port))
  }

  /// Opens a socket that listens at a path of the file system.
  static func listen(atPath path: String) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try withUnsafeMutableBytes(of: &address.sun_path) { field in
      guard bytes.count < field.count else { throw SystemError("bind", code: ENAMETOOLONG) }
      field.copyBytes(from: bytes)
    }
    return try listen(AF_UNIX, &address)
  }

  static func removeFile(_ path: String) {
    _ = unlink(path)
  }

  private static func listen<Address>(_ family: Int32, _ address: inout Address) throws -> Int32 {
    let descriptor = socket(family, stream, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    prepare(descriptor)
    if family != AF_UNIX { setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, to: Int32(1)) }
    let length = socklen_t(MemoryLayout<Address>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
    }
    let call = isBound ? "listen" : "bind"
    #if canImport(Darwin)
      let isListening = isBound && Darwin.listen(descriptor, SOMAXCONN) == 0
    #elseif canImport(Musl)
      let isListening = isBound && Musl.listen(descriptor, SOMAXCONN) == 0
    #else
      let isListening = isBound && Glibc.listen(descriptor, SOMAXCONN) == 0
    #endif
    guard isListening else {
      let error = SystemError(call)
      closeDescriptor(descriptor)
      throw error
    }
    return descriptor
  }

  private static func boundAddress<Address>(_ descriptor: Int32, _ template: Address) throws -> Address {
    var address = template
    var length = socklen_t(MemoryLayout<Address>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard result == 0 else {
      let error = SystemError("getsockname")
      closeDescriptor(descriptor)
      throw error
    }
    return address
  }
}
