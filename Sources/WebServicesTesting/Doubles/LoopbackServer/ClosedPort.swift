public import Foundation

/// A port on 127.0.0.1 that refuses every connection, like a server that is down. While this object lives, the system
/// chooses the port for nobody else. A program that names the port can still listen on it.
public final class ClosedPort: Sendable {
  /// The port.
  public let number: UInt16
  private let descriptor: Int32

  /// Reserves a free port.
  ///
  /// - Throws: ``LoopbackServer/StartError`` if the system has no free port.
  public init() throws(LoopbackServer.StartError) {
    do {
      (descriptor, number) = try System.listen(at: .ipv4, isListening: false)
    } catch {
      throw LoopbackServer.StartError(description: "no port can be reserved: \(error)")
    }
  }

  deinit {
    System.closeDescriptor(descriptor)
  }

  /// The URL of a path on this port.
  ///
  /// - Parameter path: begins with a slash and may have a query. Percent-encode it yourself.
  public func url(_ path: String = "/") -> URL {
    URL(string: "http://127.0.0.1:\(number)\(path)") ?? URL(fileURLWithPath: path)
  }
}
