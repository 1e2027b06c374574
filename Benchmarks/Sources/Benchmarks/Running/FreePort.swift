import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Finds free ports of the loopback interface, for a server that can't choose them itself. Another program may take a
/// port before the server does.
enum FreePort {
  /// - Returns: this many different ports.
  static func find(_ count: Int) throws -> [Int] {
    var ports: [Int] = []
    while ports.count < count {
      let port = try find()
      if !ports.contains(port) { ports.append(port) }
    }
    return ports
  }

  private static func find() throws -> Int {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw ServerFailure(reason: "there is no socket") }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw ServerFailure(reason: "there is no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
