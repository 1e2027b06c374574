import Foundation

extension System {
  /// `SOCK_STREAM`, which Glibc declares as an enumeration and other systems as a number.
  static let stream: Int32 = 1

  /// Opens a socket on 127.0.0.1 or [::1], and returns its port. The system refuses all connections to a port that
  /// doesn't listen.
  static func listen(
    onIPv6 isIPv6: Bool, port: UInt16, isListening: Bool = true
  ) throws -> (descriptor: Int32, port: UInt16) {
    guard isIPv6 else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let descriptor = try listen(AF_INET, &address, isListening: isListening)
      return (descriptor, UInt16(bigEndian: try boundAddress(descriptor, address).sin_port))
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    let descriptor = try listen(AF_INET6, &address, isListening: isListening)
    return (descriptor, UInt16(bigEndian: try boundAddress(descriptor, address).sin6_port))
  }

  /// Opens a listening Unix domain socket at a path.
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

  private static func listen<Address>(
    _ family: Int32, _ address: inout Address, isListening wanted: Bool = true
  ) throws -> Int32 {
    let descriptor = socket(family, stream, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    prepare(descriptor)
    // The port of a stopped server can be used again at once, although closed connections stay in TIME_WAIT.
    if family != AF_UNIX { setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, to: Int32(1)) }
    let length = socklen_t(MemoryLayout<Address>.size)
    // `bind` takes a pointer to `sockaddr`, the common type of all socket addresses.
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
    }
    // A bound socket that doesn't listen keeps its port and refuses connections.
    if isBound && !wanted { return descriptor }
    let call = isBound ? "listen" : "bind"
    guard isBound, Foundation.listen(descriptor, SOMAXCONN) == 0 else {
      let error = SystemError(call)
      closeDescriptor(descriptor)
      throw error
    }
    return descriptor
  }

  /// Returns the address of the bound socket. Its port is the one that the system chose if the caller asked for port 0.
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
