import Foundation

/// How far an exchange has come, kept behind its lock.
struct ExchangeState: Sendable {
  typealias Membership = Coalescer<CoalescingKey, Exchange>.Membership

  enum Stage: Sendable {
    /// The cache is being asked, or equal exchanges are looked for.
    case preparing
    /// On the way to the network and back, itself or as part of an equal one.
    case underWay
    case over
  }

  /// What it was let through with, to be given back.
  struct Passage: Sendable {
    var permit: CircuitBreaker.Permit?
    var place: RequestLimiter.Place?
    var ticket: RequestLimiter.Ticket?
    /// When that was, on the clock.
    var time: TimeInterval = 0

    mutating func add(_ other: Passage) {
      permit = other.permit ?? permit
      place = other.place ?? place
      ticket = other.ticket ?? ticket
      time = other.time
    }
  }

  /// What is to be done where the caller leaves.
  enum Leaving {
    /// No end is told. What would have been told is let go of outside the lock.
    case leave(Membership, Exchanges.Completion?)
    /// The task tells the end.
    case end(any URLSessionTaskProtocol)
    /// It is still held up.
    case conclude
    case tell(Exchanges.Completion?)
  }

  /// What is left of it when it has been to the network, or won't go there.
  struct Conclusion {
    let passage: Passage
    let wait: ConnectivityWait?
    let task: (any URLSessionTaskProtocol)?
    let membership: Membership?
    let end: End
  }

  /// Whom to tell, and what the cache wants to see again then.
  struct End: Sendable {
    var completion: Exchanges.Completion?
    var plan: CachePlan?

    mutating func take() -> End { End(completion: completion.take(), plan: plan.take()) }
  }

  private var end: End
  private var isCancelled = false
  private var stage: Stage
  /// Its part in what others share, or may.
  private var membership: Membership?
  /// Whether all who shared it have left.
  private var isStopped = false
  private var passage = Passage()
  private var wait: ConnectivityWait?
  private var task: (any URLSessionTaskProtocol)?

  init(stage: Stage, completion: Exchanges.Completion) {
    self.stage = stage
    end = End(completion: completion)
  }

  // MARK: Its way out

  /// Whether anybody waits for what goes to the network.
  private var isWanted: Bool { stage == .underWay && !(membership == nil ? isCancelled : isStopped) }

  /// Leaves the cache behind.
  ///
  /// - Returns: whether the caller still waits.
  mutating func setOut(plan: CachePlan?, membership: Membership? = nil) -> Bool {
    // Who shares it with one that has left waits for it all the same.
    guard membership != nil || !isCancelled else { return false }
    end.plan = plan
    self.membership = membership
    if stage == .preparing { stage = .underWay }
    return !isCancelled
  }

  /// Notes what it waits with for a network.
  ///
  /// - Returns: whether it is still wanted. So do the next two.
  mutating func hold(_ wait: ConnectivityWait) -> Bool {
    guard isWanted else { return false }
    self.wait = wait
    return true
  }

  /// Notes what has to be given back in the end, and what ends it once it is sent.
  mutating func hold(_ passage: Passage, _ task: (any URLSessionTaskProtocol)?) -> Bool {
    guard isWanted else { return false }
    self.passage.add(passage)
    self.task = task
    return true
  }

  /// Notes its place in a queue, which it may have left already with the place that it waited for.
  mutating func queue(with ticket: RequestLimiter.Ticket) -> (isWanted: Bool, isWaiting: Bool) {
    guard isWanted else { return (false, false) }
    defer { passage.ticket = ticket }
    return (true, passage.ticket == nil)
  }

  var permit: CircuitBreaker.Permit? { passage.permit }
  var sharedMembership: Membership? { membership }

  /// What holds the exchange up, or its task.
  enum Hold {
    case task(any URLSessionTaskProtocol)
    case network(Conclusion)
    case turn(Conclusion)
  }

  /// Takes the exchange back where it is held up; `nil` where nothing is known of it.
  mutating func takeBack() -> Hold? {
    guard stage == .underWay else { return nil }
    if let task { return .task(task) }
    if wait != nil { return conclude().map(Hold.network) }
    return passage.ticket == nil ? nil : conclude().map(Hold.turn)
  }

  // MARK: Its end

  /// The caller leaves.
  mutating func cancel() -> Leaving {
    isCancelled = true
    if let membership, stage == .underWay {
      return .leave(membership, end.completion.take())
    }
    // Also that of the request that is sent once more on the cache's behalf.
    if let task { return .end(task) }
    if stage == .underWay { return .conclude }
    return .tell(end.completion.take())
  }

  /// All who shared it have left.
  ///
  /// - Returns: what tells the end; `nil` where it is still held up.
  mutating func stop() -> (any URLSessionTaskProtocol)? {
    isStopped = true
    return task
  }

  /// It has been to the network, or won't go there.
  ///
  /// - Returns: what is left of it, the first time.
  mutating func conclude() -> Conclusion? {
    guard stage == .underWay else { return nil }
    stage = .over
    defer { passage = Passage() }
    return Conclusion(
      passage: passage, wait: wait.take(), task: task.take(), membership: membership.take(), end: end.take())
  }

  /// Another has been to the network for it, or the cache knew the answer.
  ///
  /// - Returns: whom to tell, once; nobody where the caller has left.
  mutating func takeEnd() -> End {
    stage = .over
    membership = nil
    return end.take()
  }

  /// The request is sent once more on the cache's behalf.
  ///
  /// - Returns: whether the caller still waits.
  mutating func goOn(with task: any URLSessionTaskProtocol) -> Bool {
    if !isCancelled { self.task = task }
    return !isCancelled
  }
}
