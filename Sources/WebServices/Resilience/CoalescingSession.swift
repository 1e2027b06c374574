/// Shares one transfer among equal requests that only read and are in flight at the same time.
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
  /// - Parameter byDefault: whether requests are shared whose options don't say.
  public static func coalescing(byDefault: Bool) -> CoalescingLayer { CoalescingLayer(sharesByDefault: byDefault) }
}

/// A caller that leaves a shared transfer ends its own part; the last one ends the transfer. Each caller keeps its own
/// timeout, which starts when the transfer is sent.
final class CoalescingSession: WrappingSession {
  let next: any URLSessionProtocol
  private let sharesByDefault: Bool
  /// The transfers that can be joined. Tasks and observers are called and released outside the lock.
  private let state = Locked(State())

  init(next: any URLSessionProtocol, sharesByDefault: Bool = true) {
    self.next = next
    self.sharesByDefault = sharesByDefault
  }

  /// How many transfers are in flight.
  var count: Int { state.withLock { $0.transfers.count } }

  func transferTask(
    with request: TransportRequest, completion: @escaping HeldTask.Completion
  ) -> any URLSessionTaskProtocol {
    guard !request.options.bypassesLimits, request.options.coalesces ?? sharesByDefault,
      let key = CoalescingKey(request)
    else { return next.transferTask(with: request, completion: completion) }
    return HeldTask(completion) { [self] in join(key, request, $0) }
  }

  private func join(_ key: CoalescingKey, _ request: TransportRequest, _ task: HeldTask) {
    let observer = request.context.observer
    let (part, isSent) = state.withLock { $0.join(key, task, observer) }
    task.wait(for: SharedTransfer(session: self, part: part))
    guard !part.isFirst else { return open(part, request) }
    if isSent { observer?.transferIsSent() }
    observer?.transferDid(.coalesced)
  }

  /// Starts the transfer that a request is the first to ask for, unless everybody has left it already.
  private func open(_ part: Part, _ request: TransportRequest) {
    let opened = HeldTask { [self] result in
      end(part, result)
    } begin: { [self] task in
      var shared = request
      var context = request.context
      context.observer = SharedObserver(session: self, part: part, opener: context.observer)
      // Each caller's engine ends its own part in time. The transport would end it for all at the first one's timeout.
      context.timeout = request.timeouts.whole ?? request.timeouts.idle
      shared.timeouts.whole = TransportTimeouts.longest
      shared.context = context
      task.send(shared, to: next) { task.finish($0) }
    }
    if state.withLock({ $0.open(part, opened) }) { opened.resume() }
  }

  private func end(_ part: Part, _ result: Result<WebServiceResponse, TransportError>) {
    guard let transfer = state.withLock({ $0.remove(part) }) else { return }
    let others = transfer.members.count > 1 || transfer.members.first?.number != part.number ? result.shared : result
    for member in transfer.members { member.task.finish(member.number == part.number ? result : others) }
  }

  /// - Returns: what the transfer waited for, where nobody is left who waits for it.
  fileprivate func leave(_ part: Part) -> TransportWait? {
    let left = state.withLock { $0.leave(part) }
    return left?.abandoned?.task?.leave()
  }

  fileprivate func members(of part: Part, isSent: Bool = false) -> [Member] {
    state.withLock { $0.members(of: part, isSent: isSent) }
  }
}

extension CoalescingSession {
  /// One request's part in a transfer.
  fileprivate struct Part: Sendable {
    let key: CoalescingKey
    /// The number of the request that opened the transfer.
    let opener: UInt64
    let number: UInt64

    var isFirst: Bool { number == opener }
  }

  fileprivate struct Member: Sendable {
    let number: UInt64
    let task: HeldTask
    let observer: (any TransferObserver)?
  }

  fileprivate struct Transfer: Sendable {
    let opener: UInt64
    /// In the order in which they joined.
    var members: [Member]
    /// `nil` until the first request has started it.
    var task: HeldTask?
    var isSent = false

    mutating func add(_ member: Member) -> (opener: UInt64, isSent: Bool) {
      members.append(member)
      return (opener, isSent)
    }

    mutating func remove(_ number: UInt64) -> Member? {
      members.firstIndex { $0.number == number }.map { members.remove(at: $0) }
    }
  }

  fileprivate struct State: Sendable {
    var transfers: [CoalescingKey: Transfer] = [:]
    private var lastNumber: UInt64 = 0

    /// Joins the transfer that is in flight for the key, or adds one.
    mutating func join(
      _ key: CoalescingKey, _ task: HeldTask, _ observer: (any TransferObserver)?
    ) -> (part: Part, isSent: Bool) {
      lastNumber += 1
      let member = Member(number: lastNumber, task: task, observer: observer)
      if let (opener, isSent) = transfers[key]?.add(member) {
        return (Part(key: key, opener: opener, number: lastNumber), isSent)
      }
      transfers[key] = Transfer(opener: lastNumber, members: [member])
      return (Part(key: key, opener: lastNumber, number: lastNumber), false)
    }

    /// Whether the transfer of a part is in flight. An equal one may be in flight since that has ended.
    private func isInFlight(_ part: Part) -> Bool { transfers[part.key]?.opener == part.opener }

    mutating func open(_ part: Part, _ task: HeldTask) -> Bool {
      guard isInFlight(part) else { return false }
      transfers[part.key]?.task = task
      return true
    }

    mutating func members(of part: Part, isSent: Bool) -> [Member] {
      guard isInFlight(part) else { return [] }
      if isSent { transfers[part.key]?.isSent = true }
      return transfers[part.key]?.members ?? []
    }

    mutating func remove(_ part: Part) -> Transfer? {
      isInFlight(part) ? transfers.removeValue(forKey: part.key) : nil
    }

    /// - Returns: the member that has left, to be released outside the lock, and the transfer that it was the last of.
    mutating func leave(_ part: Part) -> (member: Member, abandoned: Transfer?)? {
      guard isInFlight(part), let member = transfers[part.key]?.remove(part.number) else { return nil }
      return (member, transfers[part.key]?.members.isEmpty == true ? transfers.removeValue(forKey: part.key) : nil)
    }
  }

  /// A request's wait for the transfer that it shares.
  fileprivate struct SharedTransfer: TransferWait {
    let session: CoalescingSession
    let part: Part

    func leave() -> TransportWait? { session.leave(part) }
  }
}

/// Tells all who share a transfer that it is sent. Monitors are told of it as the first one's.
private final class SharedObserver: TransferObserver {
  private let session: CoalescingSession
  private let part: CoalescingSession.Part
  private let opener: (any TransferObserver)?

  init(session: CoalescingSession, part: CoalescingSession.Part, opener: (any TransferObserver)?) {
    self.session = session
    self.part = part
    self.opener = opener
  }

  /// The transfer is sent as long as anybody may have it.
  func refusal() -> TransportError? {
    var refusal: TransportError?
    for member in session.members(of: part) {
      refusal = member.observer?.refusal()
      if refusal == nil { return nil }
    }
    return refusal
  }

  func transferIsSent() {
    for member in session.members(of: part, isSent: true) { member.observer?.transferIsSent() }
  }

  func transferDid(_ kind: RequestEvent.Kind) { opener?.transferDid(kind) }
}

extension Result<WebServiceResponse, TransportError> {
  /// Marks a response as one of another request's transfer, which tells monitors of it.
  fileprivate var shared: Self {
    map { response in
      guard response.source == .network else { return response }
      var response = response
      response.source = .shared
      return response
    }
  }
}
