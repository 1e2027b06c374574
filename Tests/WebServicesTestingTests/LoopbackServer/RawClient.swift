@testable import WebServicesTestSupport
@testable import WebServicesDoubles

/// A blocking client socket of IPv4 that sends and receives plain bytes. No call waits longer than ten seconds.
final class RawClient {
  enum Failure: Error {
    case socket(Int32)
    case timeout
    case reset
  }

  private let descriptor: Int32
  private var buffer = Data()

  init(_ server: LoopbackServer) throws {
    descriptor = socket(AF_INET, System.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] address in
        connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      _ = close(descriptor)
      throw Failure.socket(code)
    }
    System.preventSignal(descriptor)
    var timeout = timeval()
    timeout.tv_sec = 10
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Writes without the signal SIGPIPE, which a connection closed by the server would raise.
  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    Foundation.send(descriptor, bytes.baseAddress, bytes.count, System.sendFlags)
  }

  deinit {
    _ = close(descriptor)
  }

  /// Sends text. The caller ends each line with CR LF.
  func send(_ text: String) {
    send(Array(text.utf8))
  }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { Self.write($0, to: descriptor) }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }

  /// Sends a request without a body.
  func get(_ target: String, fields: String = "") {
    send("GET \(target) HTTP/1.1\r\nHost: test\r\n\(fields)\r\n")
  }

  /// Reads once; empty at the end of the connection.
  private func receive() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw errno == ECONNRESET ? Failure.reset : Failure.timeout }
    return Array(bytes[..<count])
  }

  /// Reads to the end of the connection.
  func readToEnd() throws -> String {
    while true {
      let bytes = try receive()
      if bytes.isEmpty { break }
      buffer += bytes
    }
    defer { buffer = Data() }
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Reads up to and including the text.
  func read(through text: String) throws -> String {
    let mark = Data(text.utf8)
    while true {
      if let end = buffer.range(of: mark)?.upperBound {
        defer { buffer = Data(buffer[end...]) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let bytes = try receive()
      guard !bytes.isEmpty else {
        defer { buffer = Data() }
        return String(decoding: buffer, as: UTF8.self) + "<end>"
      }
      buffer += bytes
    }
  }
}
