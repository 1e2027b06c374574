@testable import WebServicesTestSupport
@testable import WebServicesDoubles

/// A blocking client socket of IPv4 that sends and receives plain bytes. No call waits longer than ten seconds.
final class RawClient {
  /// The system's error number of the call that failed; `EAGAIN` after ten seconds without a byte.
  struct Failure: Error {
    var code = errno
  }

  private let descriptor: Int32
  private var buffer = Data()

  init(_ server: LoopbackServer) throws {
    descriptor = socket(AF_INET, System.stream, 0)
    // A process that another test starts would keep the connection open.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] address in
        connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // `deinit` closes the socket, also after this error.
    guard result == 0 else { throw Failure() }
    System.preventSignal(descriptor)
    var timeout = timeval()
    timeout.tv_sec = 10
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    _ = close(descriptor)
  }

  /// Sends text. The caller ends each line with CR LF.
  func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // Without the signal SIGPIPE, which a connection closed by the server would raise.
      let sent = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, System.sendFlags) }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }

  /// Sends a request without a body.
  func get(_ target: String) { send("GET \(target) HTTP/1.1\r\nHost: test\r\n\r\n") }

  /// Reads up to and including the text. If the connection ends before, the result ends in `<end>`.
  func read(through text: String) throws -> String {
    try read { $0.range(of: Data(text.utf8))?.upperBound } ?? readToEnd() + "<end>"
  }

  /// Reads to the end of the connection.
  func readToEnd() throws -> String {
    _ = try read { _ in nil }
    defer { buffer = Data() }
    return String(decoding: buffer, as: UTF8.self)
  }

  /// Reads until the buffer has an end; `nil` at the end of the connection.
  private func read(to end: (Data) -> Int?) throws -> String? {
    while true {
      if let end = end(buffer) {
        defer { buffer = Data(buffer[end...]) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count >= 0 else { throw Failure() }
      guard count > 0 else { return nil }
      buffer += bytes[..<count]
    }
  }
}
