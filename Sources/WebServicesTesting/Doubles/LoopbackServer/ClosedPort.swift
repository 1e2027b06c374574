public import Foundation

/// A port on 127.0.0.1 that refuses every connection, like a server that is down. The port stays reserved while this
/// object lives, so no other program can listen on it.
public final class ClosedPort: Sendable {
  /// The port.
  public let number: UInt16
  private let descriptor: Int32

  /// Reserves a free port.
  ///
  /// - Throws: ``LoopbackServer/StartError`` if the system has no free port.
  public init() throws(LoopbackServer.StartError) {
    do {
      (descriptor, number) = try System.reservePort()
    } catch {
      throw LoopbackServer.StartError(description: "no port can be reserved: \(error)")
    }
  }

  deinit {
    System.closeDescriptor(descriptor)
  }

  /// The URL of a path on this port.
  ///
  /// - Parameter path: begins with a slash, and has no query. The method percent-encodes it.
  public func url(_ path: String = "/") -> URL {
    var components = URLComponents()
    components.scheme = "http"
    components.host = "127.0.0.1"
    components.port = Int(number)
    components.path = path
    return components.url ?? URL(fileURLWithPath: path)
  }
}
