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
  /// The transfers that can be joined. The lock also guards the state of every `SharedTransfer`. Tasks and observers
  /// are called and released without the lock.
  fileprivate let transfers = Locked<[CoalescingKey: SharedTransfer]>([:])

  init(next: any URLSessionProtocol, service: LayerContext, sharesByDefault: Bool) {
    self.next = next
    self.sharesByDefault = sharesByDefault
    priority = service.configuration.priority
  }

  /// How many transfers are in flight.
  var count: Int { transfers.withLock { $0.count } }

  func transferTask(with request: TransportRequest, completion: @escaping Completion) -> any URLSessionTaskProtocol {
    guard !request.options.bypassesLimits else { return next.transferTask(with: request, completion: completion) }
    guard request.method.isSafe else {
      return next.transferTask(with: request) { [self, target = request.target] result in
        // Lets nobody join the transfers to the origin that are in flight now. Their callers still get the response,
        // and retain the transfers, so that none is released with the lock held.
        if let target {
          transfers.withLock { $0 = $0.filter { $0.key.request.target?.hasSameOrigin(as: target) != true } }
        }
        completion(result)
      }
    }
    guard request.options.coalesces ?? sharesByDefault, let key = CoalescingKey(request)
    else { return next.transferTask(with: request, completion: completion) }
    return HeldTask(completion) { [self] task in join(key, task) }
  }

  /// Joins the transfer that is in flight for the key, or begins a new one.
  private func join(_ key: CoalescingKey, _ task: HeldTask) {
    let caller: SharedCaller = (task, key.request.context.observer)
    let (transfer, isSent, standIn, new) = transfers.withLock { transfers in
      let open = transfers[key].flatMap { $0.isOpen(to: key.request) ? $0 : nil }
      let transfer = open ?? SharedTransfer(key, session: self)
      transfer.callers.append(caller)
      if open == nil { transfers[key] = transfer }
      return (transfer, transfer.isSent, transfer.standIn, open == nil ? transfer.task : nil)
    }
    task.wait { transfer.leave(caller) }
    // Others may have joined, so the transfer is sent also if its first caller has left meanwhile.
    if let new { return new.resume() }
    if let standIn { caller.observer?.transferMayBeReplaced(by: standIn) }
    if isSent { caller.observer?.transferIsSent() }
    caller.observer?.transferDid(.coalesced)
  }
}

/// One caller's part in a shared transfer, and the observer of the caller's request.
private typealias SharedCaller = (task: HeldTask, observer: (any TransferObserver)?)

/// A transfer that callers share. It sends the first caller's request and observes it for all. Monitors see each event
/// as one of the first caller that still waits. The lock of `session.transfers` guards the variables.
private final class SharedTransfer: TransferObserver, @unchecked Sendable {
  private let key: CoalescingKey
  private let session: CoalescingSession
  /// The callers in the order in which they joined, without those who have left. They stay after the end, because a
  /// cache may then refresh the response, whose cookies are for the callers' observers.
  var callers: [SharedCaller] = []
  /// The caller that left last and so has the transfer cancelled; `nil` while there are callers.
  private var last: SharedCaller?
  /// Sends the request; `nil` once the transfer has ended or was abandoned.
  private(set) var task: HeldTask?
  /// Whether the transfer was sent. The timeout of a caller that joins later starts at once.
  private(set) var isSent = false
  /// A cache's response in place of a timeout, for callers that join later too.
  private(set) var standIn: (@Sendable () -> WebServiceResponse?)?

  init(_ key: CoalescingKey, session: CoalescingSession) {
    self.key = key
    self.session = session
    task = HeldTask({ [self] in end($0) }) { [self] task in
      var request = key.request
      request.context.observer = self
      task.send(request, to: session.next)
    }
  }

  /// Whether a caller of this request may join. Runs with the lock held.
  func isOpen(to request: TransportRequest) -> Bool {
    isSent || request.options.priority ?? session.priority <= key.request.options.priority ?? session.priority
  }

  /// Lets no further caller join. Runs with the lock held.
  private func close(in transfers: inout [CoalescingKey: SharedTransfer]) {
    guard let index = transfers.index(forKey: key), transfers.values[index] === self else { return }
    transfers.remove(at: index)
  }

  /// Ends the wait of all callers. Called on the transport's thread.
  private func end(_ result: Result<WebServiceResponse, TransportError>) {
    let former = session.transfers.withLock { transfers in
      close(in: &transfers)
      return (callers: callers, task: task.take(), standIn: standIn.take())
    }
    var result = result
    for (index, caller) in former.callers.enumerated() {
      // Monitors count the response for the first caller alone.
      if index == 1, result.serverResponse?.source == .network { result.serverResponse?.source = .otherTransfer }
      caller.task.finish(result)
    }
    // The task is released here, outside the lock.
    _ = former
  }

  /// Lets a caller leave. The last one cancels the transfer. Each one learns that a transfer hasn't been sent.
  func leave(_ caller: SharedCaller) -> UnsentReason? {
    // Asked before locking, because the observer locks too.
    let isTooSlow = caller.observer?.hasTimedOut ?? false
    let (abandoned, isQueued): (HeldTask?, Bool) = session.transfers.withLock { transfers in
      // Thousands of callers may leave one after the other, so the search ends with the caller.
      if let index = callers.firstIndex(where: { $0.task.isSame(as: caller.task) }) { callers.remove(at: index) }
      // Nobody joins a transfer that was too slow for a caller: it would be the transfer of the caller's next attempt
      // too. A later transfer may have taken the place.
      if callers.isEmpty || isTooSlow { close(in: &transfers) }
      guard callers.isEmpty else { return (nil, !isSent) }
      last = caller
      return (task.take(), false)
    }
    if isQueued { return .turn(host: key.request.host, limit: nil) }
    // Withdrawing tells why the request was never sent. A task that was sent has to be cancelled.
    defer { abandoned?.cancel() }
    return abandoned?.withdraw()
  }

  /// A reason not to send, if every caller has one, or has left.
  func refusal() -> TransportError? {
    let refusals = session.transfers.withLock { _ in callers }.lazy.map { $0.observer?.refusal() }
    return refusals.contains { $0 == nil } ? nil : refusals.last ?? .cancelledUnsent
  }

  /// The last caller to leave says why the transfer is cancelled.
  var hasTimedOut: Bool { session.transfers.withLock { _ in last }?.observer?.hasTimedOut ?? false }

  func transferIsSent() { tellAll({ isSent = true }) { $0.transferIsSent() } }

  func transferDid(_ kind: RequestEvent.Kind) {
    session.transfers.withLock { _ in callers.first }?.observer?.transferDid(kind)
  }

  /// Tells all callers, because each of them gets the response with its cookies.
  func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) { tellAll { $0.transferDidEnd(result) } }

  func transferCarries(secrets: [String]) { tellAll { $0.transferCarries(secrets: secrets) } }

  func transferMayBeReplaced(by stored: @escaping @Sendable () -> WebServiceResponse?) {
    // After the end nobody would release the closure, which retains this object.
    tellAll({ if task != nil { standIn = stored } }) { $0.transferMayBeReplaced(by: stored) }
  }

  /// Tells the observer of each caller.
  ///
  /// - Parameter change: changes this object with the lock held, before the observers are told.
  private func tellAll(_ change: () -> Void = {}, _ tell: (any TransferObserver) -> Void) {
    let waiting = session.transfers.withLock { _ in
      change()
      return callers
    }
    for caller in waiting { caller.observer.map(tell) }
  }
}
