public import Foundation
public import WebServices

// Responses that violate the protocol. A client must handle all of them.
extension LoopbackServer.Response {
  /// No response, while the connection stays open.
  public static var silence: Self { [.stall] }

  /// An orderly close of the connection instead of a response.
  public static var close: Self { [.close] }

  /// A reset of the connection instead of a response.
  public static var reset: Self { [.reset] }

  /// Text that is sent unchanged. The connection stays open unless `steps` close it.
  public static func raw(_ text: String, then steps: LoopbackServer.Step...) -> Self {
    Self([.text(text)] + steps)
  }

  /// Bytes that are sent unchanged. The connection stays open unless `steps` close it.
  public static func raw(_ data: Data, then steps: LoopbackServer.Step...) -> Self {
    Self([.bytes(data)] + steps)
  }

  /// A text with a wrong `Content-Length`, followed by the end of the connection.
  public static func text(_ text: String, declaringLength length: Int) -> Self {
    .text(text, headers: ["Content-Length": String(length)]).then(.close)
  }

  /// A response with one header value of this many bytes.
  public static func hugeHeader(bytes: Int) -> Self {
    .text("ok", headers: ["X-Huge": String(repeating: "h", count: max(0, bytes))])
  }

  /// A response with this many header fields.
  public static func manyHeaders(_ count: Int) -> Self {
    .text(
      "ok", headers: HTTPHeaders((0..<max(0, count)).map { .init(name: "X-Field-\($0)", value: "value") }))
  }

  /// A head that never ends.
  public static var endlessHead: Self {
    ["HTTP/1.1 200 OK\r\n", .repeated(Data("X-Filler: filler\r\n".utf8), times: nil)]
  }

  /// A body that never ends, until the connection is closed.
  public static func endlessBody(headers: HTTPHeaders = [:]) -> Self {
    [.head(status: 200, headers: headers), .repeated(filler, times: nil)]
  }

  /// A chunked body that never ends.
  public static func endlessChunks(status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    headers.add(name: "Transfer-Encoding", value: "chunked")
    let chunk = Data((String(filler.count, radix: 16) + "\r\n").utf8) + filler + Data("\r\n".utf8)
    return [.head(status: status, headers: headers), .repeated(chunk, times: nil)]
  }

  /// A body of this many bytes that needs no memory.
  public static func filler(bytes: Int, headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    headers.add(name: "Content-Length", value: String(max(0, bytes)))
    return [
      .head(status: 200, headers: headers), .repeated(filler, times: max(0, bytes) / filler.count),
      .body(filler.prefix(max(0, bytes) % filler.count)),
    ]
  }

  private static let filler = Data(repeating: UInt8(ascii: "f"), count: 16_384)
}

// MARK: - Redirects and challenges

extension LoopbackServer.Response {
  /// A redirect. The location is sent unchanged.
  public static func redirect(to location: String, status: Int = 302, headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    headers.add(name: "Location", value: location)
    return .status(status, headers: headers)
  }

  /// Status 401 with a `WWW-Authenticate` field for each challenge.
  public static func unauthorized(_ challenges: LoopbackServer.Challenge...) -> Self {
    let fields = challenges.map { HTTPHeaders.Field(name: "WWW-Authenticate", value: $0.text) }
    return .text("unauthorized", status: 401, headers: HTTPHeaders(fields))
  }
}
