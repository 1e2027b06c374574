/// Shares one transfer among equal requests that only read and are in flight at the same time. Add the layer with
/// `.coalescing`.
public struct CoalescingLayer: SessionLayer {
  let sharesByDefault: Bool

  /// Makes a session in which equal requests share a transfer.
  public func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
    CoalescingSession(next: next, sharesByDefault: sharesByDefault)
  }
}

extension SessionLayer where Self == CoalescingLayer {
  /// Shares one transfer among equal requests that only read, unless a request's options say otherwise.
  public static var coalescing: CoalescingLayer { coalescing(byDefault: true) }

  /// Shares one transfer among equal requests that only read.
  ///
  /// - Parameter byDefault: whether to share a request whose options don't say.
  public static func coalescing(byDefault: Bool) -> CoalescingLayer { CoalescingLayer(sharesByDefault: byDefault) }
}

/// Joins equal requests to the transfer that is in flight.
///
/// A caller that cancels leaves the transfer, and the last one to leave cancels it. Each caller keeps its own timeout,
/// which starts when the transfer is sent, or when the caller joins if that is later.
final class CoalescingSession: WrappingSession {
  let next: any URLSessionProtocol
  private let sharesByDefault: Bool
  /// The transfers that can be joined, each represented by its first caller's task. The lock also guards the state of every
  /// `SharedTask`. Tasks, observers and completions are called and released without the lock.
  fileprivate let transfers = Locked<[CoalescingKey: SharedTask]>([:])

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

/// One caller's part in a shared transfer. The first caller's task leads: it sends the request and knows the followers,
/// also after its own caller has left. The lock of `session.transfers` guards `state`.
private final class SharedTask: WithdrawableTask, @unchecked Sendable {
  /// Valid transitions: idle to leader, follower or over; leader to over; follower to over.
  private enum Role {
    /// The task isn't resumed yet.
    case idle
    /// The task sends the request.
    case leader
    /// The task waits for the transfer of the leader.
    case follower(SharedTask)
    /// The caller has left, or the transfer has ended. A leader whose caller has left stays a leader until no follower
    /// is left.
    case over
  }

  private struct State {
    /// `nil` once it is about to run: the caller doesn't wait any more.
    var completion: HeldTask.Handler?
    var role = Role.idle
    /// A leader's followers, in the order in which they joined.
    var followers: [SharedTask] = []
    /// A leader's task of the next session.
    var task: (any URLSessionTaskProtocol)?
    /// Whether the transfer was sent. The timeout of a caller that joins later starts at once.
    var isSent = false

    var isLeading: Bool { if case .leader = role { true } else { false } }
  }

  private let session: CoalescingSession
  private let key: CoalescingKey
  private let observer: (any TransferObserver)?
  private var state: State

  init(_ key: CoalescingKey, session: CoalescingSession, completion: @escaping HeldTask.Completion) {
    self.session = session
    self.key = key
    observer = key.request.context.observer
    state = State(completion: HeldTask.Handler(run: completion))
  }

  func resume() {
    let start = session.transfers.withLock { join(&$0[key]) }
    guard let start else { return }
    if start.isFirst { return send() }
    if start.isSent { observer?.transferIsSent() }
    observer?.transferDid(.coalesced)
  }

  /// Joins the transfer that is in flight for the key, or leads a new one. Runs with the lock held.
  private func join(_ transfer: inout SharedTask?) -> (isFirst: Bool, isSent: Bool)? {
    guard case .idle = state.role else { return nil }
    guard let leader = transfer else {
      transfer = self
      state.role = .leader
      return (true, false)
    }
    state.role = .follower(leader)
    leader.state.followers.append(self)
    return (false, leader.state.isSent)
  }

  /// Sends the request as the leader.
  private func send() {
    var request = key.request
    var context = request.context
    context.observer = self
    request.context = context
    let task = session.next.transferTask(with: request) { [self] result in end(result) }
    // All callers may have left while the next session made the task.
    let isWanted = session.transfers.withLock { _ in
      guard state.isLeading else { return false }
      state.task = task
      return true
    }
    isWanted ? task.resume() : task.cancel()
  }

  /// Runs the completions of all callers. Called on the transport's thread.
  private func end(_ result: Result<WebServiceResponse, TransportError>) {
    let (own, others, former) = session.transfers.withLock { removeCallers(&$0) }
    own?.run(result)
    if !others.isEmpty {
      let shared = result.shared
      for completion in others { completion.run(shared) }
    }
    // The followers and the task are released here, outside the lock.
    _ = former
  }

  /// Takes the completions of all callers, and ends their tasks. Runs with the lock held.
  private func removeCallers(
    _ transfers: inout [CoalescingKey: SharedTask]
  ) -> (own: HeldTask.Handler?, others: [HeldTask.Handler], former: State?) {
    guard state.isLeading else { return (nil, [], nil) }
    transfers[key] = nil
    let former = state
    state = State(role: .over)
    var others: [HeldTask.Handler] = []
    for follower in former.followers {
      if let completion = follower.state.completion.take() { others.append(completion) }
      follower.state.role = .over
    }
    return (former.completion, others, former)
  }

  func cancel() { withdraw() }

  @discardableResult
  func withdraw() -> UnsentReason? {
    let (completion, abandoned, former) = session.transfers.withLock { leave(&$0) }
    // Withdrawing tells why the request was never sent. A task that was sent has to be cancelled.
    let reason = abandoned?.withdrawIfUnsent()
    abandoned?.cancel()
    completion?.run(.failure(.cancelledInQueue))
    // The leader is released here, outside the lock.
    _ = former
    return reason
  }

  /// Removes the caller from its transfer. Runs with the lock held.
  ///
  /// - Returns: the completion, the task of the transfer if no caller is left, and the former role.
  private func leave(
    _ transfers: inout [CoalescingKey: SharedTask]
  ) -> (completion: HeldTask.Handler?, abandoned: (any URLSessionTaskProtocol)?, former: Role) {
    guard let completion = state.completion.take() else { return (nil, nil, .over) }
    let role = state.role
    var leader = self
    switch role {
    case .leader: break
    case .follower(let first):
      leader = first
      leader.state.followers.removeAll { $0 === self }
      state.role = .over
    case .idle, .over:
      state.role = .over
      return (completion, nil, role)
    }
    // Only the last caller to leave cancels the transfer.
    guard leader.state.completion == nil, leader.state.followers.isEmpty else { return (completion, nil, role) }
    leader.state.role = .over
    transfers[key] = nil
    return (completion, leader.state.task.take(), role)
  }
}

/// The leader observes the transfer for all callers. Monitors see the events as those of the first caller.
extension SharedTask: TransferObserver {
  /// A reason not to send, if every caller has one.
  func refusal() -> TransportError? {
    let (isWaiting, followers) = session.transfers.withLock { _ in (state.completion != nil, state.followers) }
    var refusal: TransportError?
    if isWaiting {
      refusal = observer?.refusal()
      if refusal == nil { return nil }
    }
    for follower in followers {
      refusal = follower.observer?.refusal()
      if refusal == nil { return nil }
    }
    return refusal
  }

  func transferIsSent() {
    let (isWaiting, followers) = session.transfers.withLock { _ in
      state.isSent = true
      return (state.completion != nil, state.followers)
    }
    if isWaiting { observer?.transferIsSent() }
    for follower in followers { follower.observer?.transferIsSent() }
  }

  func transferDid(_ kind: RequestEvent.Kind) { observer?.transferDid(kind) }

  func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) { observer?.transferDidEnd(result) }
}

extension Result<WebServiceResponse, TransportError> {
  /// Returns the result with its response marked for monitors: the response came from another request's transfer.
  fileprivate var shared: Self {
    map { response in
      guard response.source == .network else { return response }
      var response = response
      response.source = .shared
      return response
    }
  }
}
