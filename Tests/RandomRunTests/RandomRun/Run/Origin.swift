import Foundation
import WebServices
import WebServicesTesting

/// A server of a run. It responds as the plan says and records its observations.
final class Origin: Sendable {
  let index: Int
  let server: LoopbackServer
  private let plan: Plan
  private let calls: [Int: CallPlan]
  private let recorder: Recorder
  private let state = Guarded(State())
  /// The base URLs that redirects lead to.
  private let bases = Guarded<[String]>([])

  private struct State: Sendable {
    /// The number of requests received, by path.
    var counts: [String: Int] = [:]
    /// The numbers of the handled requests.
    var handled: Set<Int> = []
    var lastSecret = 0
  }

  init(_ index: Int, plan: Plan, recorder: Recorder) throws {
    self.index = index
    self.plan = plan
    self.recorder = recorder
    calls = Dictionary(plan.calls.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    server = try LoopbackServer()
    server.route(nil, "/*") { [weak self] request in self?.respond(to: request) ?? .close }
  }

  func setBases(_ bases: [String]) { self.bases.withLock { $0 = bases } }

  /// Records the requests that were read without a response, and stops.
  func stop() {
    let handled = state.withLock { $0.handled }
    for request in server.requests where !handled.contains(request.order) {
      var reception = reception(of: request)
      reception.isSwallowed = true
      recorder.add(.received(reception))
    }
    server.stop()
  }

  private func reception(of request: LoopbackServer.Request) -> Reception {
    let fields = request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    let inHead = Secret.all(in: "\(request.target)\n\(fields)")
    // A secret in a query, in a body or in an app's own header field isn't an identity.
    let identity = Secret.all(in: fields).map(\.identity).first { !Secret.namesNobody($0) }
    let segments = request.path.split(separator: "/")
    let call = segments.count > 1 && segments[0] == "c" ? Int(segments[1]) : nil
    return Reception(
      origin: index, order: request.order, call: call, method: request.method.rawValue, path: request.path,
      identity: identity, secrets: inHead.union(Secret.all(in: request.body)))
  }

  private func respond(to request: LoopbackServer.Request) -> LoopbackServer.Response {
    var reception = reception(of: request)
    let count = state.withLock { state in
      state.handled.insert(request.order)
      state.counts[request.path, default: 0] += 1
      return state.counts[request.path, default: 1]
    }
    if request.path == "/renew" { return renewal(of: request, reception, count: count) }
    let place = request.path.split(separator: "/").last.map(String.init) ?? ""
    let (target, behaviour): (String, Behaviour)
    if let number = reception.call, let call = calls[number] {
      let script = call.script(at: place)
      let position = min(count, script.count) - 1
      (target, behaviour) = (call.label, position < 0 ? .status(404, retryAfter: nil) : script[position])
      return respond(
        with: behaviour, to: request, target: target, next: "/c/\(number)/\(place).\(position)", &reception)
    }
    guard request.path.hasPrefix("/r/"), let number = Int(place), plan.resources.indices.contains(number) else {
      return respond(with: .status(404, retryAfter: nil), to: request, target: "", next: "", &reception)
    }
    let resource = plan.resources[number]
    if let trouble = resource.trouble, count > 2, count.isMultiple(of: 2) {
      return respond(with: trouble, to: request, target: "r\(number)", next: "", &reception)
    }
    return serve(resource, number, to: request, &reception)
  }

  private func respond(
    with behaviour: Behaviour, to request: LoopbackServer.Request, target: String, next: String,
    _ reception: inout Reception
  ) -> LoopbackServer.Response {
    var behaviour = behaviour
    if case .push = behaviour, !mayPush(behind: reception.call) { behaviour = .lines(1) }
    (reception.status, reception.duration) = (behaviour.status, behaviour.duration)
    recorder.add(.received(reception))
    let composer = ResponseComposer(request: request, reception: reception, target: target)
    if case .redirect(_, let origin, _, _) = behaviour {
      let bases = bases.withLock { $0 }
      return composer.response(for: behaviour, location: (bases.indices.contains(origin) ? bases[origin] : "") + next)
    }
    let response = composer.response(for: behaviour, location: "")
    guard case .push(let push) = behaviour else { return response }
    let noted = response.then(.wait(pushGate(behind: reception.name)))
    return push == .timeoutThenClose ? noted.then(.close) : noted
  }

  private func mayPush(behind number: Int?) -> Bool {
    guard let number, let call = calls[number], call.form != .pages else { return false }
    return recorder.beginPush(behind: number, of: Set(calls.values.filter { $0.client == call.client }.map(\.number)))
  }

  /// An open gate that records when everything before it has been sent.
  private func pushGate(behind reception: String) -> LoopbackServer.Gate {
    let gate = LoopbackServer.Gate()
    gate.open()
    Task { [recorder] in
      // The gate is never reached if the client has closed the connection.
      if await gate.waitUntilReached(timeout: 3) { recorder.add(.pushed(reception)) }
      recorder.endPush()
    }
    return gate
  }

  private func serve(
    _ resource: ResourcePlan, _ number: Int, to request: LoopbackServer.Request, _ reception: inout Reception
  ) -> LoopbackServer.Response {
    let tag = "\"\(number).\(reception.identity ?? -1).\(request.headers["Host"] ?? "")\""
    var headers: HTTPHeaders = ["Cache-Control": resource.cacheControl]
    if resource.hasTag { headers["ETag"] = tag }
    let isConfirmed = resource.hasTag && request.headers["If-None-Match"] == tag
    reception.status = isConfirmed ? 304 : 200
    recorder.add(.received(reception))
    let composer = ResponseComposer(request: request, reception: reception, target: "r\(number)")
    let response = isConfirmed ? composer.confirmation(headers) : composer.content(resource.lines, headers)
    return resource.delay > 0 ? response.beforeHead(.delay(Double(resource.delay) / 1000)) : response
  }

  private func renewal(
    of request: LoopbackServer.Request, _ reception: Reception, count: Int
  ) -> LoopbackServer.Response {
    var reception = reception
    let token = reception.secrets.first { !Secret.namesNobody($0.identity) }
    let plan = plan.owners.first { $0.kind == .tokens && $0.home == index }?.renewal ?? .works
    let number = state.withLock { state in
      state.lastSecret += 1
      return 1000 * (index + 1) + state.lastSecret
    }
    let fails = plan == .failsFirst && count == 1
    reception.status = token == nil ? 400 : fails ? 503 : 200
    reception.identity = token?.identity
    recorder.add(.received(reception))
    guard let token, !fails else { return .text("no", status: reception.status ?? 400) }
    let fresh = Secret(home: index, identity: token.identity, number: number)
    let refresh = Secret(home: index, identity: token.identity, number: number + Secret.refreshTokenOffset)
    let refreshMember = plan == .hasNoRefreshToken ? "" : #","refreshToken":"\#(refresh.text)""#
    let json = #"{"apiToken":"\#(fresh.text)","secondsRemaining":600\#(refreshMember)}"#
    return plan == .isSlow ? .json(json).beforeHead(.delay(0.15)) : .json(json)
  }
}
