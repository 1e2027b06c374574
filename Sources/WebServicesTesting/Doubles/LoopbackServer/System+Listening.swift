import Foundation

extension System {
  /// `SOCK_STREAM`, which Glibc declares as an enumeration and other systems as a number.
  static let stream: Int32 = 1

  /// Opens a socket at an address, and returns its port, which the system chooses for port 0. The system refuses all
  /// connections to a port that doesn't listen.
  static func listen(
    at address: LoopbackServer.Address, port: UInt16 = 0, isListening: Bool = true
  ) throws -> (descriptor: Int32, port: UInt16) {
    switch address {
    case .ipv4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let (descriptor, bound) = try open(AF_INET, address, isListening)
      return (descriptor, UInt16(bigEndian: bound.sin_port))
    case .ipv6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      let (descriptor, bound) = try open(AF_INET6, address, isListening)
      return (descriptor, UInt16(bigEndian: bound.sin6_port))
    case .unixSocket(let path):
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      try withUnsafeMutableBytes(of: &address.sun_path) { field in
        guard path.utf8.count < field.count else { throw SystemError("bind", code: ENAMETOOLONG) }
        field.copyBytes(from: Array(path.utf8))
      }
      return (try open(AF_UNIX, address, isListening).0, 0)
    }
  }

  static func removeFile(_ path: String) {
    _ = unlink(path)
  }

  /// Opens a socket, and returns the address to which the system has bound the socket.
  private static func open<Address>(
    _ family: Int32, _ wanted: Address, _ isListening: Bool
  ) throws -> (Int32, Address) {
    let descriptor = socket(family, stream, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    prepare(descriptor)
    // The port of a stopped server can be used again at once, although closed connections stay in TIME_WAIT.
    if family != AF_UNIX { setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, to: Int32(1)) }
    var (address, length) = (wanted, socklen_t(MemoryLayout<Address>.size))
    let failedCall: String? = withUnsafeMutablePointer(to: &address) { pointer in
      // The calls take a pointer to `sockaddr`, the common type of all socket addresses.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(descriptor, address, length) == 0 else { return "bind" }
        // A bound socket that doesn't listen keeps its port and refuses connections.
        guard !isListening || Foundation.listen(descriptor, SOMAXCONN) == 0 else { return "listen" }
        return getsockname(descriptor, address, &length) == 0 ? nil : "getsockname"
      }
    }
    guard let failedCall else { return (descriptor, address) }
    let error = SystemError(failedCall)
    closeDescriptor(descriptor)
    throw error
  }
}
