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
    let segments = request.path.split(separator: "/")
    return Reception(
      origin: index, order: request.order, call: segments.count > 1 ? Int(segments[1]) : nil,
      method: request.method.rawValue, path: request.path,
      secrets: Secret.all(in: "\(request.target)\n\(fields)").union(Secret.all(in: request.body)))
  }

  private func respond(to request: LoopbackServer.Request) -> LoopbackServer.Response {
    let count = state.withLock { state in
      state.handled.insert(request.order)
      state.counts[request.path, default: 0] += 1
      return state.counts[request.path, default: 1]
    }
    let reception = reception(of: request)
    let place = request.path.split(separator: "/").last.map(String.init) ?? ""
    guard let call = reception.call.flatMap({ calls[$0] }) else { return .text("no", status: 404) }
    let script = call.script(at: place)
    guard !script.isEmpty else { return .text("no", status: 404) }
    let position = min(count, script.count) - 1
    return respond(
      with: script[position], to: request, of: call, next: "/c/\(call.number)/\(place).\(position)", reception)
  }

  private func respond(
    with behaviour: Behaviour, to request: LoopbackServer.Request, of call: CallPlan, next: String,
    _ reception: Reception
  ) -> LoopbackServer.Response {
    var (behaviour, reception) = (behaviour, reception)
    if case .push = behaviour, !mayPush(behind: call) { behaviour = .lines(1) }
    (reception.status, reception.duration) = (behaviour.status, behaviour.duration)
    recorder.add(.received(reception))
    let composer = ResponseComposer(request: request, reception: reception, target: call.label)
    if case .redirect(_, let origin, _, _) = behaviour {
      let bases = bases.withLock { $0 }
      return composer.response(for: behaviour, location: (bases.indices.contains(origin) ? bases[origin] : "") + next)
    }
    let response = composer.response(for: behaviour, location: "")
    guard case .push(let push) = behaviour else { return response }
    let noted = response.then(.wait(pushGate(behind: reception.name)))
    return push == .timeoutThenClose ? noted.then(.close) : noted
  }

  private func mayPush(behind call: CallPlan) -> Bool {
    recorder.beginPush(
      behind: call.number, of: Set(calls.values.filter { $0.client == call.client }.map(\.number)))
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
}
