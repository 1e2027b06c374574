/// Joins equal requests to the transfer that is in flight.
///
/// A request joins no transfer from before the end of a request that may have changed something at the same origin. A
/// request joins a waiting transfer only if that transfer has its priority or a higher one.
///
/// A caller that cancels leaves the transfer, and the last one to leave cancels it. Each caller keeps its own timeout,
/// which starts when the transfer is sent, or when the caller joins if that is later.
final class CoalescingSession: WrappingSession {
  let next: any URLSessionProtocol
  private let sharesByDefault: Bool
  /// The priority of requests that set none.
  fileprivate let priority: RequestOptions.Priority
  /// The transfers that can be joined. The lock also guards the state of every `SharedTransfer` and `SharedTask`. Tasks,
  /// observers and completions are called and released without the lock.
  fileprivate let transfers = Locked<[CoalescingKey: SharedTransfer]>([:])

  init(next: any URLSessionProtocol, service: LayerContext, sharesByDefault: Bool) {
    self.next = next
    self.sharesByDefault = sharesByDefault
    priority = service.configuration.priority
  }

  /// How many transfers are in flight.
  var count: Int { transfers.withLock { $0.count } }

  func transferTask(
    with request: TransportRequest, completion: @escaping HeldTask.Completion
  ) -> any URLSessionTaskProtocol {
    guard !request.options.bypassesLimits else { return next.transferTask(with: request, completion: completion) }
    guard request.method.isSafe else {
      return next.transferTask(with: request) { [self, target = request.target] result in
        forgetTransfers(to: target)
        completion(result)
      }
    }
    guard request.options.coalesces ?? sharesByDefault, let key = CoalescingKey(request)
    else { return next.transferTask(with: request, completion: completion) }
    return SharedTask(key, session: self, completion: completion)
  }

  /// Lets nobody join the transfers to the origin that are in flight now. Their callers still get the response.
  private func forgetTransfers(to target: HTTPURL?) {
    guard let target else { return }
    // The callers retain their transfers, so none is released with the lock held.
    transfers.withLock { $0 = $0.filter { $0.key.request.target?.hasSameOrigin(as: target) != true } }
  }
}

/// One caller's part in a shared transfer. The lock of `session.transfers` guards the variables.
private final class SharedTask: WithdrawableTask, @unchecked Sendable {
  private let session: CoalescingSession
  private let key: CoalescingKey
  /// The facts about the caller's request.
  let context: TransferContext
  /// `nil` once it is about to run: the caller doesn't wait any more.
  var completion: HeldTask.Handler?
  /// `nil` until the task is resumed, and once it has left.
  var transfer: SharedTransfer?

  init(_ key: CoalescingKey, session: CoalescingSession, completion: @escaping HeldTask.Completion) {
    self.session = session
    self.key = key
    context = key.request.context
    self.completion = HeldTask.Handler(run: completion)
  }

  func resume() {
    guard let (transfer, isSent) = session.transfers.withLock({ join(&$0[key]) }) else { return }
    if transfer.first === self { return transfer.send() }
    if isSent { context.observer?.transferIsSent() }
    context.observer?.transferDid(.coalesced)
  }

  /// Joins the transfer that is in flight for the key, or begins a new one. Runs with the lock held.
  private func join(_ place: inout SharedTransfer?) -> (transfer: SharedTransfer, isSent: Bool)? {
    guard completion != nil, transfer == nil else { return nil }
    let joined =
      place.flatMap { $0.isOpen(to: key.request) ? $0 : nil } ?? SharedTransfer(key, first: self, session: session)
    joined.callers.append(self)
    (place, transfer) = (joined, joined)
    return (joined, joined.isSent)
  }

  func cancel() { withdraw() }

  @discardableResult
  func withdraw() -> UnsentReason? {
    let (completion, abandoned, former) = session.transfers.withLock { leave(&$0[key]) }
    // Withdrawing tells why the request was never sent. A task that was sent has to be cancelled.
    let reason = abandoned?.withdrawIfUnsent()
    abandoned?.cancel()
    completion?.run(.failure(.cancelledUnsent))
    // The transfer is released here, outside the lock.
    _ = former
    return reason
  }

  /// Leaves the transfer. Runs with the lock held.
  ///
  /// - Returns: the completion, the task of the transfer if no caller is left, and the transfer.
  private func leave(
    _ place: inout SharedTransfer?
  ) -> (completion: HeldTask.Handler?, abandoned: (any URLSessionTaskProtocol)?, former: SharedTransfer?) {
    guard let completion = completion.take() else { return (nil, nil, nil) }
    guard let transfer = transfer.take() else { return (completion, nil, nil) }
    transfer.callers.removeAll { $0 === self }
    guard transfer.callers.isEmpty else { return (completion, nil, transfer) }
    transfer.last = self
    // A later transfer may have taken the place.
    if place === transfer { place = nil }
    return (completion, transfer.task.take(), transfer)
  }
}

/// A transfer that callers share. It sends the first caller's request and observes it for all. Monitors see its events as
/// those of the first caller. The lock of `session.transfers` guards the variables.
private final class SharedTransfer: TransferObserver, @unchecked Sendable {
  private let key: CoalescingKey
  let first: SharedTask
  private let session: CoalescingSession
  /// The callers that wait, in the order in which they joined; empty once the transfer has ended or was abandoned.
  var callers: [SharedTask] = []
  /// The caller that left last and so has the transfer cancelled; `nil` while there are callers.
  var last: SharedTask?
  /// The task of the next session.
  var task: (any URLSessionTaskProtocol)?
  /// Whether the transfer was sent. The timeout of a caller that joins later starts at once.
  private(set) var isSent = false

  init(_ key: CoalescingKey, first: SharedTask, session: CoalescingSession) {
    self.key = key
    self.first = first
    self.session = session
  }

  /// Whether a caller of this request may join. Runs with the lock held.
  func isOpen(to request: TransportRequest) -> Bool {
    isSent || request.options.priority ?? session.priority <= key.request.options.priority ?? session.priority
  }

  func send() {
    var request = key.request
    var context = request.context
    context.observer = self
    request.context = context
    let task = session.next.transferTask(with: request) { [self] result in end(result) }
    // All callers may have left while the next session made the task.
    let isWanted = session.transfers.withLock { _ in
      guard !callers.isEmpty else { return false }
      self.task = task
      return true
    }
    isWanted ? task.resume() : task.cancel()
  }

  /// Runs the completions of all callers. Called on the transport's thread.
  private func end(_ result: Result<WebServiceResponse, TransportError>) {
    let (former, completions, task) = session.transfers.withLock { transfers in
      if transfers[key] === self { transfers[key] = nil }
      // The first caller and the transfer retain each other.
      defer { (callers, self.task, first.transfer) = ([], nil, nil) }
      return (callers, callers.map { $0.completion.take() }, self.task)
    }
    for (caller, completion) in zip(former, completions) { completion?.run(caller === first ? result : result.shared) }
    // The task is released here, outside the lock.
    _ = task
  }

  /// The callers, read with the lock.
  private var waiting: [SharedTask] { session.transfers.withLock { _ in callers } }

  /// A reason not to send, if every caller has one.
  func refusal() -> TransportError? {
    var refusal: TransportError?
    for caller in waiting {
      refusal = caller.context.observer?.refusal()
      if refusal == nil { return nil }
    }
    return refusal
  }

  /// The last caller to leave says why the transfer is cancelled.
  var hasTimedOut: Bool { session.transfers.withLock { _ in last }?.context.hasTimedOut ?? false }

  func transferIsSent() {
    let waiting = session.transfers.withLock { _ in
      isSent = true
      return callers
    }
    for caller in waiting { caller.context.observer?.transferIsSent() }
  }

  func transferDid(_ kind: RequestEvent.Kind) { first.context.observer?.transferDid(kind) }

  /// Tells all callers, because each of them gets the response with its cookies.
  func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) {
    for caller in waiting { caller.context.observer?.transferDidEnd(result) }
  }

  func transferCarries(secrets: [String]) {
    for caller in waiting { caller.context.observer?.transferCarries(secrets: secrets) }
  }
}

extension Result<WebServiceResponse, TransportError> {
  /// Returns the result with its response marked for monitors: the response came from another request's transfer.
  fileprivate var shared: Self {
    map { response in
      guard response.source == .network else { return response }
      var response = response
      response.source = .otherTransfer
      return response
    }
  }
}
