import Dispatch
import Foundation

/// One exchange that a cache may answer, or has to be told of.
final class CachedExchange: URLSessionTaskProtocol {
  private struct State {
    var isOver = false
    var task: (any URLSessionTaskProtocol)?
    var completion: Exchanges.Completion?
  }

  static let queue = DispatchQueue(label: "WebServices.Cache", qos: .userInitiated, attributes: .concurrent)

  private let request: TransportRequest
  private let cache: ResponseCache
  private let exchanges: Exchanges
  private let context: ExchangeContext
  private let state: Locked<State>

  init(
    _ request: TransportRequest, cache: ResponseCache, exchanges: Exchanges, context: ExchangeContext,
    completion: @escaping Exchanges.Completion
  ) {
    self.request = request
    self.cache = cache
    self.exchanges = exchanges
    self.context = context
    state = Locked(State(completion: completion))
  }

  /// Whether a cache has anything to do with the request: what is collected in memory, and what may make a stored answer
  /// obsolete.
  static func concerns(_ request: TransportRequest) -> Bool {
    guard case .memory = request.destination else { return !request.method.isSafe }
    return true
  }

  func resume() {
    if cache.store.isImmediate { setOut() } else { Self.queue.async { [self] in setOut() } }
  }

  private func setOut() {
    let identity = cache.identity(
      of: request, credentialNames: context.credentialNames, fields: exchanges.credentialFields)
    follow(cache.plan(for: request, identity: identity, policy: context.cachePolicy))
  }

  func cancel() {
    let (task, completion) = state.withLock { state in
      // One that leaves a shared exchange tells no end, and holds us by what it would have told.
      defer { (state.isOver, state.task) = (true, nil) }
      // Without a task the cache is being asked, and nobody else would tell the end.
      guard state.task == nil else { return (state.task, nil as Exchanges.Completion?) }
      defer { state.completion = nil }
      return (nil, state.completion)
    }
    task?.cancel()
    completion?(.cancelledInQueue)
  }

  private func follow(_ plan: CachePlan) {
    switch plan.step {
    case .deliver(let response):
      deliver(response)
    case .deliverAndSend(let response, let request):
      deliver(response)
      refresh(request, plan: plan)
    case .send(let request):
      send(request, plan: plan)
    }
  }

  private func deliver(_ response: WebServiceResponse) {
    if response.headers["Age"] != nil, !state.withLock({ $0.isOver }) { context.owner.exchangeDid(.cached(.hit)) }
    end(with: .ended(.success(response), .cache))
  }

  private func send(_ request: TransportRequest, plan: CachePlan) {
    let task = exchanges.sharedTask(with: request, context: context) { [self] result in
      if cache.store.isImmediate {
        take(result, plan: plan)
      } else {
        Self.queue.async { self.take(result, plan: plan) }
      }
    }
    let isWanted = state.withLock { state in
      guard !state.isOver else { return false }
      state.task = task
      return true
    }
    isWanted ? task.resume() : task.cancel()
  }

  /// Asks the server for a newer answer than the one that was given, for those who ask next.
  private func refresh(_ request: TransportRequest, plan: CachePlan) {
    let number = exchanges.background.makeNumber()
    let task = exchanges.sharedTask(with: request, context: context.inBackground) { [cache, exchanges] result in
      exchanges.background.remove(number: number)
      Self.queue.async {
        switch result {
        case .ended(.success(let response), _): _ = cache.handle(response, plan: plan)
        case .ended(.failure, _), .circuitOpen, .noNetwork: _ = cache.handleError(plan: plan)
        }
      }
    }
    exchanges.background.add(task, number: number)
    task.resume()
  }

  private func take(_ result: ExchangeResult, plan: CachePlan) {
    switch result {
    case .ended(.success(let response), let source):
      switch cache.outcome(of: response, plan: plan) {
      case nil:
        end(with: result)
      case .response(let answer) where answer.statusCode != response.statusCode:
        // What came isn't what is given.
        if source == .network {
          context.owner.exchangeDid(
            .received(
              status: response.statusCode, bytes: Int64(response.body.count), metrics: response.metrics))
        }
        context.owner.exchangeDid(.cached(response.statusCode == 304 ? .revalidated : .stale))
        end(with: .ended(.success(answer), .cache))
      case .response(let answer):
        end(with: .ended(.success(answer), source))
      case .sendAgain(let plan):
        state.withLock { $0.task = nil }
        follow(plan)
      }
    case .ended(.failure(let error), _) where error.kind == .cancelled:
      end(with: result)
    case .ended(.failure, _), .circuitOpen, .noNetwork:
      guard let standIn = cache.handleError(plan: plan) else { return end(with: result) }
      context.owner.exchangeDid(.cached(.stale))
      end(with: .ended(.success(standIn), .cache))
    }
  }

  private func end(with result: ExchangeResult) {
    var former = State()
    state.withLock { state in
      former.isOver = state.isOver
      swap(&former, &state)
    }
    former.completion?(result)
  }
}
