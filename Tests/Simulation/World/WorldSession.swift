import Foundation
import WebServicesCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The way from a service to the servers of a world.
final class WorldSession: URLSessionProtocol, @unchecked Sendable {
  let world: World
  let process: Int
  private(set) var open: [Int: WorldTask] = [:]
  private var isInvalid = false

  init(_ world: World, process: Int) {
    self.world = world
    self.process = process
  }

  func transferTask(
    with request: TransportRequest, completion: @escaping WorldTask.Completion
  ) -> any URLSessionTaskProtocol {
    let task = WorldTask(request, session: self, completion: completion)
    world.idleTasks.insert(task.number)
    world.scheduler.pass()
    return task
  }

  /// Not used: the engine asks for transfers.
  func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> FinishedTask {
    completionHandler(nil, nil, CocoaError(.featureUnsupported))
    return FinishedTask()
  }

  func invalidateAndCancel() {
    isInvalid = true
    for task in open.values.sorted(by: { $0.number < $1.number }) { task.cancel() }
  }

  fileprivate func begin(_ task: WorldTask) -> Bool {
    if !isInvalid { open[task.number] = task }
    return !isInvalid
  }

  fileprivate func end(_ task: WorldTask) {
    let former = open.removeValue(forKey: task.number)
    withExtendedLifetime(former) {}
  }
}

/// One transfer.
///
/// | stage | next stages |
/// |---|---|
/// | `idle` | `connecting`, `over` |
/// | `connecting` | `sent`, `over` |
/// | `sent` | `over` |
final class WorldTask: WithdrawableTask, @unchecked Sendable {
  typealias Completion = @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  private enum Stage { case idle, connecting, sent, over }

  let number: Int
  let request: TransportRequest
  private let session: WorldSession
  private var completion: Completion?
  private var stage = Stage.idle
  private var received: Int64 = 0

  fileprivate init(_ request: TransportRequest, session: WorldSession, completion: @escaping Completion) {
    self.request = request
    self.session = session
    self.completion = completion
    number = session.world.makeNumber()
  }

  private var scheduler: Scheduler { session.world.scheduler }

  func resume() {
    guard stage == .idle else { return }
    stage = .connecting
    session.world.idleTasks.remove(number)
    guard session.begin(self) else { return end(.failure(.unsent(.invalidated, "the session is closed"))) }
    session.world.noteSending(of: self, from: session.process)
    scheduler.add("network", after: session.world.connectionDelay) { [self] in arrive() }
    scheduler.pass()
  }

  func cancel() {
    end(.failure(TransportError(.cancelled, message: "cancelled", mayHaveReachedServer: stage == .sent)))
    scheduler.pass()
  }

  func withdraw() -> UnsentReason? {
    guard stage == .idle || stage == .connecting else { return nil }
    end(.failure(.unsent(.cancelled, "withdrawn")))
    return .connecting
  }

  private func arrive() {
    guard stage == .connecting else { return }
    let reply = session.world.receive(self, from: session.process)
    if reply.isReceived { stage = .sent }
    guard let result = reply.result else { return }
    if case .success(let head) = result, let parts = reply.parts {
      scheduler.add(lane, after: reply.delay) { [self] in
        guard stage == .sent else { return }
        request.receiver?.didReceive(head: head)
        session.world.note(.begun(reception: reply.reception))
        receive(parts[...], of: reply, head)
      }
      return
    }
    guard reply.delay > 0 else { return end(result, of: reply) }
    scheduler.add("network", after: reply.delay) { [self] in end(result, of: reply) }
  }

  /// The events of one transfer come one after another.
  private var lane: String { "transfer \(number)" }

  private func receive(_ parts: ArraySlice<Data>, of reply: Reply, _ head: WebServiceResponse) {
    guard stage == .sent else { return }
    let idle = request.timeouts.idle
    let isSilent = if case .some(nil) = reply.ending { parts.isEmpty } else { false }
    if isSilent || !parts.isEmpty && reply.gap > idle ?? .infinity {
      guard let idle else { return }
      scheduler.add(lane, after: idle) { [self] in
        end(.failure(TransportError(.timedOut(.idle), message: "", mayHaveReachedServer: true, response: head)))
      }
    } else if let part = parts.first {
      scheduler.add(lane, after: reply.gap) { [self] in
        guard stage == .sent else { return }
        received += Int64(part.count)
        report(of: head)
        request.receiver?.didReceive(part) { [self] in receive(parts.dropFirst(), of: reply, head) }
      }
    } else {
      scheduler.add(lane, after: 0) { [self] in end((reply.ending ?? nil) ?? .success(head), of: reply) }
    }
  }

  private func report(of head: WebServiceResponse) {
    request.onProgress?(
      TransportRequest.Progress(
        sent: 0, expectedToSend: nil, received: received,
        expectedToReceive: head.headers["Content-Length"].flatMap { Int64($0) }))
  }

  private func end(_ result: Result<WebServiceResponse, TransportError>, of reply: Reply? = nil) {
    guard stage != .over else { return }
    if reply?.parts == nil, case .success(let response) = result {
      received += Int64(response.body.count)
      report(of: response)
    }
    let wasSent = stage != .idle
    session.world.idleTasks.remove(number)
    stage = .over
    session.end(self)
    let completion = completion
    self.completion = nil
    scheduler.add(lane) { [self] in
      if let reply { session.world.noteAnswer(reply, result) }
      if wasSent { session.world.note(.over(transfer: number, History.Ending(result))) }
      completion?(reply?.parts == nil ? result.delivered(to: request) : result)
      if let reply { session.world.note(.taken(reception: reply.reception)) }
    }
  }
}

extension History.Ending {
  init(_ result: Result<WebServiceResponse, TransportError>) {
    let wait = result.serverResponse?.headers["Retry-After"].flatMap(Double.init)
    switch result {
    case .success(let response): self = .status(response.statusCode, retryAfter: wait)
    case .failure(let error) where error.kind == .cancelled: self = .cancelled
    case .failure(let error): self = .failed(isStale: error.isStaleConnection, retryAfter: wait)
    }
  }
}

/// A server's reply.
struct Reply: Sendable {
  var reception: Int
  /// The parts of a body that arrives slowly; `nil` for any other reply.
  var parts: [Data]?
  var gap = 0.0
  /// The end of such a reply, unless it is complete: a failure, or silence.
  var ending: Result<WebServiceResponse, TransportError>??
  /// `nil` if the server never answers.
  var result: Result<WebServiceResponse, TransportError>?
  var delay = 0.0
  /// `false` if no connection was made.
  var isReceived = true
}
