import Foundation
import WebServices
import WebServicesTesting

/// Makes the response of a server from the plan.
struct ResponseComposer {
  typealias Response = LoopbackServer.Response

  let request: LoopbackServer.Request
  let reception: Reception
  let target: String

  /// The header field of bytes that nobody requested.
  static let pushedField = "X-Pushed"
  static let receptionField = "X-Reception"
  /// The number of bytes that count as endless: more than a client should read, and less than the machine's memory.
  private static let endless = 256 << 20

  private var headers: HTTPHeaders {
    [
      Self.receptionField: reception.name, "Content-Type": "application/json",
      "Set-Cookie": "session=\(Secret(home: reception.origin, number: 7).text)",
    ]
  }

  private func lines(_ count: Int) -> [String] { Line.content(target: target, count: count) }

  func response(for behaviour: Behaviour, location: String) -> Response {
    switch behaviour {
    case .lines(let count, let framing, let coding): return content(count, framing: framing, coding: coding)
    case .late(let milliseconds, let count):
      return content(count).beforeHead(.delay(Double(milliseconds) / 1000))
    case .drip(let count, let milliseconds):
      return .chunked(lines(count).map { $0 + "\n" }, headers: headers)
        .betweenPieces(.delay(Double(milliseconds) / 1000))
    case .status(let status, let retryAfter): return failure(status, retryAfter: retryAfter)
    case .redirect(let status, _, _, let body): return redirect(status, to: location, body: body)
    case .reset: return .reset
    case .close: return .close
    case .silence: return .never
    case .cut(let count, let isReset): return cut(count, isReset: isReset)
    case .push(let push): return content(1).then(.delay(0.004), .text(pushed(push)))
    case .swallowsNext: return content(1).thenSwallowingNextRequest()
    case .closesOnNext: return content(1).thenClosingOnNextRequest()
    case .closesSoon: return content(1).then(.delay(0.003), .close)
    case .endlessTrailers:
      return [
        .head(status: 200, headers: headers.merged(with: ["Transfer-Encoding": "chunked"])),
        .chunk(Data((lines(1)[0] + "\n").utf8)), .text("0\r\n"),
        .repeated(Data("X-Trailer: \(String(repeating: "t", count: 2000))\r\n".utf8), times: Self.endless / 2000),
        .never,
      ]
    case .endlessHead:
      return ["HTTP/1.1 200 OK\r\n", .repeated(Data("X-Filler: f\r\n".utf8), times: Self.endless / 13), .never]
    case .unaskedSwitch: return ["HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\n\r\n", .never]
    case .manyFields(let count): return manyFields(count)
    case .hardToRedact:
      return .text("no", status: 500, headers: ["X-Hard": String(repeating: "\":a>\"", count: 2000)])
    case .zeros(let megabytes):
      return .decompressionBomb(bytes: megabytes << 20, headers: [Self.receptionField: reception.name])
    }
  }

  private func content(
    _ count: Int, framing: Behaviour.Framing = .length, coding: Behaviour.Coding = .none
  ) -> Response {
    let lines = lines(count).map { $0 + "\n" }
    let data = Data(lines.joined().utf8)
    switch coding {
    case .gzip: return .gzip(data, headers: headers)
    case .deflate: return .deflate(data, headers: headers)
    case .cutGzip: return .truncatedGzip(data, headers: headers)
    case .cutDeflate: return cutDeflate(data, headers)
    case .unknown: return .encoded(data, as: "utf-8", headers: headers)
    case .none: break
    }
    if let part = part(of: data, headers) { return part }
    switch framing {
    case .length: return .data(data, headers: headers.merged(with: ["ETag": tag]))
    case .chunked: return .chunked(lines, headers: headers)
    case .chunkedWithTrailers: return .chunked(lines, headers: headers, trailers: ["X-Trailer": "t"])
    case .untilClose: return .untilClose(data, headers: headers)
    }
  }

  private var tag: String { "\"\(target)\"" }

  /// The rest of a broken download, if the request asks for it.
  private func part(of data: Data, _ headers: HTTPHeaders) -> Response? {
    guard let range = request.headers["Range"], range.hasPrefix("bytes="), request.headers["If-Range"] == tag,
      let first = Int(range.dropFirst(6).prefix { $0 != "-" }), first > 0, first < data.count
    else { return nil }
    let fields: HTTPHeaders = ["ETag": tag, "Content-Range": "bytes \(first)-\(data.count - 1)/\(data.count)"]
    return .data(data.dropFirst(first), status: 206, headers: headers.merged(with: fields))
  }

  private func cut(_ count: Int, isReset: Bool) -> Response {
    let whole = content(count)
    let length = lines(count).joined(separator: "\n").utf8.count
    // The head has some 300 bytes.
    return whole.cut(afterBytes: 300 + length / 2, then: isReset ? .reset : .close)
  }

  private func failure(_ status: Int, retryAfter: Int?) -> Response {
    var headers = headers
    if let retryAfter { headers["Retry-After"] = "\(retryAfter)" }
    if status == 401 { headers["WWW-Authenticate"] = "Bearer" }
    let secret = Secret(home: reception.origin, number: 8).text
    return .data(Data(#"{"error":"no","access_token":"\#(secret)"}"#.utf8), status: status, headers: headers)
  }

  private func redirect(_ status: Int, to location: String, body: Behaviour.RedirectBody) -> Response {
    let fields = headers.merged(with: ["Location": location])
    switch body {
    case .none: return .redirect(to: location, status: status, headers: headers)
    case .stalls: return [.head(status: status, headers: fields.merged(with: ["Content-Length": "5000"])), .never]
    case .endless:
      let chunk = Data("4000\r\n".utf8) + Data(repeating: 0x66, count: 0x4000) + Data("\r\n".utf8)
      return [
        .head(status: status, headers: fields.merged(with: ["Transfer-Encoding": "chunked"])),
        .repeated(chunk, times: Self.endless / chunk.count), .never,
      ]
    }
  }

  private func manyFields(_ count: Int) -> Response {
    let names = (0..<count).map { "x-\($0)" }
    var headers = headers.merged(with: ["Cache-Control": "max-age=60"])
    for start in stride(from: 0, to: count, by: 50) {
      headers.add(name: "Connection", value: names[start..<min(count, start + 50)].joined(separator: ","))
    }
    for name in names { headers.add(name: name, value: "v") }
    return .data(Data((lines(1)[0] + "\n").utf8), headers: headers)
  }

  private func cutDeflate(_ data: Data, _ headers: HTTPHeaders) -> Response {
    let whole = Response.deflate(data, headers: headers)
    guard case .body(let bytes)? = whole.steps.last else { return whole }
    return .encoded(bytes.prefix(bytes.count / 2), as: "deflate", headers: headers)
  }

  private func pushed(_ push: Behaviour.Push) -> String {
    switch push {
    case .response: "HTTP/1.1 200 OK\r\n\(Self.pushedField): \(reception.name)\r\nContent-Length: 2\r\n\r\n{}"
    case .timeoutThenClose:
      "HTTP/1.1 408 Request Timeout\r\n\(Self.pushedField): \(reception.name)\r\nConnection: close\r\n"
        + "Content-Length: 2\r\n\r\n{}"
    }
  }
}

extension HTTPHeaders {
  fileprivate func merged(with other: HTTPHeaders) -> HTTPHeaders {
    var headers = self
    headers.merge(other)
    return headers
  }
}

extension Behaviour {
  /// The status of the response, if it has one.
  var status: Int? {
    switch self {
    case .status(let status, _), .redirect(let status, _, _, _): status
    case .lines, .late, .drip, .cut, .push, .swallowsNext, .closesOnNext, .closesSoon, .endlessTrailers, .manyFields,
      .zeros:
      200
    case .unaskedSwitch: 101
    case .hardToRedact: 500
    case .reset, .close, .silence, .endlessHead: nil
    }
  }
}
