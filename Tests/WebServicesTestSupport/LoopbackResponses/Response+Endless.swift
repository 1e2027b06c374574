// Responses that are larger than a client should read.
extension LoopbackServer.Response {
  /// A response with this many header fields.
  static func manyHeaders(_ count: Int) -> Self {
    .text("ok", headers: HTTPHeaders((0..<count).map { .init(name: "X-Field-\($0)", value: "value") }))
  }

  /// A head that never ends.
  static var endlessHead: Self { ["HTTP/1.1 200 OK\r\n", .repeated(Data("X-Filler: filler\r\n".utf8), times: nil)] }

  /// A body that never ends, until the connection is closed.
  static func endlessBody() -> Self { [.head(status: 200), .repeated(filler, times: nil)] }

  /// A chunked body that never ends.
  static func endlessChunks(status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    headers.add(name: "Transfer-Encoding", value: "chunked")
    let chunk = Data((String(filler.count, radix: 16) + "\r\n").utf8) + filler + Data("\r\n".utf8)
    return [.head(status: status, headers: headers), .repeated(chunk, times: nil)]
  }

  /// A body of this many bytes that needs no memory.
  static func filler(bytes: Int) -> Self {
    [
      .head(status: 200, headers: ["Content-Length": "\(bytes)"]), .repeated(filler, times: bytes / filler.count),
      .body(filler.prefix(bytes % filler.count)),
    ]
  }

  private static let filler = Data(repeating: UInt8(ascii: "f"), count: 16_384)
}
