/// Joins equal requests to the transfer that is in flight.
///
/// A caller that cancels leaves the transfer, and the last one to leave cancels it. Each caller keeps its own timeout,
/// which starts when the transfer is sent, or when the caller joins if that is later.
final class CoalescingSession: WrappingSession {
  let next: any URLSessionProtocol
  private let sharesByDefault: Bool
  /// The transfers that can be joined. The lock also guards the state of every `SharedTransfer` and `SharedTask`. Tasks,
  /// observers and completions are called and released without the lock.
  fileprivate let transfers = Locked<[CoalescingKey: SharedTransfer]>([:])

  init(next: any URLSessionProtocol, sharesByDefault: Bool = true) {
    self.next = next
    self.sharesByDefault = sharesByDefault
  }

  /// How many transfers are in flight.
  var count: Int { transfers.withLock { $0.count } }

  func transferTask(
    with request: TransportRequest, completion: @escaping HeldTask.Completion
  ) -> any URLSessionTaskProtocol {
    guard !request.options.bypassesLimits, request.options.coalesces ?? sharesByDefault,
      let key = CoalescingKey(request)
    else { return next.transferTask(with: request, completion: completion) }
    return SharedTask(key, session: self, completion: completion)
  }
}

/// One caller's part in a shared transfer. The lock of `session.transfers` guards the variables.
private final class SharedTask: WithdrawableTask, @unchecked Sendable {
  private let session: CoalescingSession
  private let key: CoalescingKey
  let observer: (any TransferObserver)?
  /// `nil` once it is about to run: the caller doesn't wait any more.
  var completion: HeldTask.Handler?
  /// `nil` until the task is resumed, and once it has left.
  var transfer: SharedTransfer?

  init(_ key: CoalescingKey, session: CoalescingSession, completion: @escaping HeldTask.Completion) {
    self.session = session
    self.key = key
    observer = key.request.context.observer
    self.completion = HeldTask.Handler(run: completion)
  }

  func resume() {
    guard let (transfer, isSent) = session.transfers.withLock({ join(&$0[key]) }) else { return }
    if transfer.first === self { return transfer.send() }
    if isSent { observer?.transferIsSent() }
    observer?.transferDid(.coalesced)
  }

  /// Joins the transfer that is in flight for the key, or begins a new one. Runs with the lock held.
  private func join(_ place: inout SharedTransfer?) -> (transfer: SharedTransfer, isSent: Bool)? {
    guard completion != nil, transfer == nil else { return nil }
    let joined = place ?? SharedTransfer(key, first: self, session: session)
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
    place = nil
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
  /// The task of the next session.
  var task: (any URLSessionTaskProtocol)?
  /// Whether the transfer was sent. The timeout of a caller that joins later starts at once.
  private(set) var isSent = false

  init(_ key: CoalescingKey, first: SharedTask, session: CoalescingSession) {
    self.key = key
    self.first = first
    self.session = session
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
      if !callers.isEmpty { transfers[key] = nil }
      // The first caller and the transfer retain each other.
      defer { (callers, self.task, first.transfer) = ([], nil, nil) }
      return (callers, callers.map { $0.completion.take() }, self.task)
    }
    for (caller, completion) in zip(former, completions) { completion?.run(caller === first ? result : result.shared) }
    // The task is released here, outside the lock.
    _ = task
  }

  /// A reason not to send, if every caller has one.
  func refusal() -> TransportError? {
    var refusal: TransportError?
    for caller in session.transfers.withLock({ _ in callers }) {
      refusal = caller.observer?.refusal()
      if refusal == nil { return nil }
    }
    return refusal
  }

  func transferIsSent() {
    let waiting = session.transfers.withLock { _ in
      isSent = true
      return callers
    }
    for caller in waiting { caller.observer?.transferIsSent() }
  }

  func transferDid(_ kind: RequestEvent.Kind) { first.observer?.transferDid(kind) }

  func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) { first.observer?.transferDidEnd(result) }
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
