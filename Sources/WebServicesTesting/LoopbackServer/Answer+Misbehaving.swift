public import Foundation
public import WebServices

// Answers that a client must survive.
extension LoopbackServer.Answer {
  /// Nothing, for ever.
  public static var silence: Self { [.stall] }

  /// An orderly end of the connection instead of an answer.
  public static var close: Self { [.close] }

  /// A reset of the connection instead of an answer.
  public static var reset: Self { [.reset] }

  /// Bytes as they are; the connection stays open for the next request unless steps follow that end it.
  public static func raw(_ text: String, then steps: LoopbackServer.Step...) -> Self {
    Self([.text(text)] + steps)
  }

  /// Bytes as they are.
  public static func raw(_ data: Data, then steps: LoopbackServer.Step...) -> Self {
    Self([.bytes(data)] + steps)
  }

  /// A body whose `Content-Length` says something else; then the end of the connection.
  public static func text(_ text: String, declaringLength length: Int) -> Self {
    .text(text, headers: ["Content-Length": String(length)]).then(.close)
  }

  /// A head with one value of so many bytes.
  public static func hugeHeader(bytes: Int) -> Self {
    .text("ok", headers: ["X-Huge": String(repeating: "h", count: max(0, bytes))])
  }

  /// A head with so many fields.
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

  /// A body of so many bytes, without having it in memory.
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

extension LoopbackServer.Answer {
  /// A redirect; the location is sent as it is.
  public static func redirect(to location: String, status: Int = 302, headers: HTTPHeaders = [:]) -> Self {
    var headers = headers
    headers.add(name: "Location", value: location)
    return .status(status, headers: headers)
  }

  /// 401 with a `WWW-Authenticate` field for each challenge.
  public static func unauthorized(_ challenges: LoopbackServer.Challenge...) -> Self {
    let fields = challenges.map { HTTPHeaders.Field(name: "WWW-Authenticate", value: $0.text) }
    return .text("unauthorized", status: 401, headers: HTTPHeaders(fields))
  }
}
