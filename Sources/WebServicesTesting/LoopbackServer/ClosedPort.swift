public import Foundation

/// A port of 127.0.0.1 where every connection is refused: nothing listens there, and no other program can be given it,
/// as long as this lives. It stands for a server that is down.
public final class ClosedPort: Sendable {
  /// The port.
  public let number: UInt16
  private let descriptor: Int32

  /// Takes a port of the system's choice.
  ///
  /// - Throws: `StartError` where the system has none to give.
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

  /// The URL of a path on this port, such as `/jokes`.
  public func url(_ path: String = "/") -> URL {
    var components = URLComponents()
    components.scheme = "http"
    components.host = "127.0.0.1"
    components.port = Int(number)
    components.path = path
    return components.url ?? URL(fileURLWithPath: path)
  }
}
