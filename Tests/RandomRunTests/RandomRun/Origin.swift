import Foundation
import WebServices
import WebServicesTesting

/// A server of a run. It responds as the plan says and records its observations.
final class Origin: Sendable {
  typealias Response = LoopbackServer.Response

  static let callField = "X-Call"
  /// The header field of bytes that nobody requested.
  static let pushedField = "X-Pushed"
  /// How all secrets begin.
  static let secret = "secret-of-"
  /// The number of bytes that count as endless: more than a client should read, and less than the machine's memory.
  private static let endless = 256 << 20

  let server: LoopbackServer
  private let index: Int
  private let calls: [Int: CallPlan]
  private let recorder: Recorder
  /// The numbers of the requests that got a response.
  private let handled = Locked<Set<Int>>([])
  /// The base URLs that redirects lead to.
  private let bases = Locked<[String]>([])

  /// The secret that only the origin may receive.
  static func secret(of origin: Int) -> String { "\(secret)\(origin)" }

  init(_ index: Int, plan: Plan, recorder: Recorder) throws {
    (self.index, self.recorder) = (index, recorder)
    calls = Dictionary(plan.calls.map { ($0.number, $0) }) { $1 }
    server = try LoopbackServer()
    server.route(nil, "/*") { [weak self] request in self?.respond(to: request) ?? .close }
  }

  func setBases(_ bases: [String]) { self.bases.withLock { $0 = bases } }

  /// Records the requests that were read without a response, and stops.
  func stop() {
    let handled = handled.withLock { $0 }
    for request in server.requests where !handled.contains(request.order) { record(request, isRefused: false) }
    server.stop()
  }

  private func record(_ request: LoopbackServer.Request, isRefused: Bool) {
    let reception = Reception(
      origin: index, order: request.order, method: request.method.rawValue, path: request.path, isRefused: isRefused)
    recorder.add(.received(reception))
    let text = "\(request.target) \(request.headers.map(\.value)) \(String(decoding: request.body, as: UTF8.self))"
    if text.replacingOccurrences(of: Self.secret(of: index), with: "").contains(Self.secret) {
      recorder.add(.broken("\(reception.method) \(reception.path) brought a secret to origin \(index)"))
    }
  }

  private func respond(to request: LoopbackServer.Request) -> Response {
    handled.withLock { _ = $0.insert(request.order) }
    guard let number = request.path.split(separator: "/").dropFirst().first.flatMap({ Int($0) }),
      let call = calls[number]
    else { return .text("no", status: 404) }
    let step = recorder.countRequest(of: number)
    let behaviour = call.script[min(step, call.script.count - 1)]
    let isRefused = if case .status(401) = behaviour { true } else { false }
    record(request, isRefused: isRefused)
    return response(behaviour, call, to: request, next: "/c/\(number)/\(step + 1)")
  }

  // MARK: Responses

  private func headers(_ call: CallPlan, _ more: KeyValuePairs<String, String> = [:]) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      Self.callField: "\(call.number)", "Content-Type": "text/plain", "Set-Cookie": "session=\(Self.secret(of: index))",
    ]
    for (name, value) in more { headers[name] = value }
    return headers
  }

  private func response(
    _ behaviour: Behaviour, _ call: CallPlan, to request: LoopbackServer.Request, next: String
  ) -> Response {
    let good = good(.length, call, request)
    switch behaviour {
    case .good(let form): return self.good(form, call, request)
    case .late(let milliseconds): return good.beforeHead(.delay(Double(milliseconds) / 1000))
    case .drip(let milliseconds):
      return self.good(.chunked, call, request).betweenPieces(.delay(Double(milliseconds) / 1000))
    case .status(let status):
      let body = Data(#"{"access_token":"\#(Self.secret(of: index))"}"#.utf8)
      return .data(body, status: status, headers: headers(call, ["WWW-Authenticate": "Bearer"]))
    case .redirect(let status, let origin, let isEndless):
      let location = bases.withLock { $0[origin] } + next
      guard isEndless else { return .redirect(to: location, status: status, headers: headers(call)) }
      return [
        .head(status: status, headers: headers(call, ["Location": location, "Content-Length": "\(Self.endless)"])),
        .repeated(Data(repeating: 0x66, count: 0x4000), times: Self.endless / 0x4000), .never,
      ]
    case .reset: return .reset
    case .close: return .close
    case .silence: return .never
    case .cut(let isReset):
      // The head has some 300 bytes.
      return good.cut(afterBytes: 300 + call.content.joined().utf8.count / 2, then: isReset ? .reset : .close)
    case .cutGzip: return .truncatedGzip(data(of: call), headers: headers(call))
    case .push(let endsConnection):
      let status = endsConnection ? "408 Request Timeout\r\nConnection: close" : "200 OK"
      let push = "HTTP/1.1 \(status)\r\n\(Self.pushedField): \(call.number)\r\nContent-Length: 2\r\n\r\n{}"
      let noted = good.then(.delay(0.004), .text(push), .wait(pushGate(behind: call)))
      return endsConnection ? noted.then(.close) : noted
    case .swallowsNext: return good.thenSwallowingNextRequest()
    case .closesOnNext: return good.thenClosingOnNextRequest()
    case .closesSoon: return good.then(.delay(0.003), .close)
    case .unaskedSwitch: return ["HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\n\r\n", .never]
    case .decompressionBomb(let megabytes): return .decompressionBomb(megabytes: megabytes, headers: headers(call))
    }
  }

  private func data(of call: CallPlan) -> Data { Data(call.content.map { $0 + "\n" }.joined().utf8) }

  private func good(_ form: Behaviour.Form, _ call: CallPlan, _ request: LoopbackServer.Request) -> Response {
    let (data, tag) = (data(of: call), "\"\(call.number)\"")
    // The rest of a broken download.
    if let first = request.headers["Range"].flatMap({ Int($0.filter(\.isNumber)) }), request.headers["If-Range"] == tag,
      first > 0, first < data.count
    {
      let range = "bytes \(first)-\(data.count - 1)/\(data.count)"
      return .data(data.dropFirst(first), status: 206, headers: headers(call, ["ETag": tag, "Content-Range": range]))
    }
    let lines = call.content.map { $0 + "\n" }
    switch form {
    case .length: return .data(data, headers: headers(call, ["ETag": tag]))
    case .chunked: return .chunked(lines, headers: headers(call))
    case .chunkedWithTrailers: return .chunked(lines, headers: headers(call), trailers: ["X-Trailer": "t"])
    case .untilClose: return .untilClose(data, headers: headers(call))
    case .gzip: return .gzip(data, headers: headers(call))
    case .deflate: return .deflate(data, headers: headers(call))
    case .unknownCoding: return .encoded(data, as: "utf-8", headers: headers(call))
    }
  }

  /// An open gate that records when everything before it has been sent.
  private func pushGate(behind call: CallPlan) -> LoopbackServer.Gate {
    let gate = LoopbackServer.Gate()
    gate.open()
    Task { [recorder] in
      // The gate is never reached if the client has closed the connection.
      if await gate.waitUntilReached(timeout: 3) { recorder.add(.pushed(call: call.number)) }
    }
    return gate
  }
}
