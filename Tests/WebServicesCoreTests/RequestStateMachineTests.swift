@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct RequestStateMachineTests {
  typealias Machine = RequestStateMachine
  typealias Event = Machine.Event

  private static let url = URL(fileURLWithPath: "/")
  private static let request = TransportRequest(url: URL(string: "https://api.example.com/a") ?? url)
  private static let token = AccessToken(value: "secret")
  private static let failure = WebServiceError(.sessionFailure)
  private static let retry = Retry(delay: 1, cause: .status(503), failure: failure)

  private static func response(_ status: Int) -> WebServiceResponse {
    WebServiceResponse(statusCode: status, url: url)
  }

  private static func success(_ transfer: Int) -> Event { .ended(transfer: transfer, .success(response(200))) }

  private static func end(_ transfer: Int) -> Event { .ended(transfer: transfer, .success(response(503))) }

  /// A request with its credentials, as the authorize station makes it.
  private static func authorized(
    _ body: TransportBody = .none, _ type: WebServiceAuthorizationType = .apiToken, header: String? = "secret"
  ) -> (request: TransportRequest, credentials: AttachedCredentials?) {
    var request = request
    request.body = body
    let credentials = try? AttachedCredentials(type, for: request, token: type.needsToken ? token : nil)
    if let credentials { request.attach(credentials.fields, secrets: credentials) }
    request.headers["API-Token"] = header
    return (request, credentials)
  }

  private static var attached: Event {
    let (request, credentials) = authorized()
    return .authorized(request, credentials)
  }

  private static var prepared: Event {
    let (request, credentials) = authorized()
    return .prepared(request, credentials)
  }

  /// All kinds of events, with the numbers of the first attempt. The wait for its token has timer 2, the attempt has
  /// timer 3, and the wait for another token has timer 4.
  private static let events: [(name: String, event: Event)] = [
    ("prepared", prepared), ("described", .described(request, isOffline: false)),
    ("offline", .described(request, isOffline: nil)),
    ("admitted", .checked(isOffline: false)), ("disconnected", .checked(isOffline: nil)),
    ("tokenReceived(0)", .tokenReceived(after: 0, .success(token))),
    ("tokenReceived(1)", .tokenReceived(after: 1, .success(token))),
    ("noToken(0)", .tokenReceived(after: 0, .failure(TokenError.signedOut))),
    ("noToken(1)", .tokenReceived(after: 1, .failure(TokenError.signedOut))),
    // The token stays as it is, so the 401 is the response.
    ("sameToken(1)", .tokenReceived(after: 1, .failure(TokenError.expired))), ("authorized", attached),
    ("succeeded(1)", success(1)), ("succeeded(2)", success(2)), ("ended(1)", end(1)), ("ended(2)", end(2)),
    ("stopped(1)", .stopped(transfer: 1, TransportError(.file, message: "", mayHaveReachedServer: true))),
    ("timedOut(2)", .timedOut(timer: 2)), ("timedOut(3)", .timedOut(timer: 3)), ("timedOut(4)", .timedOut(timer: 4)),
    ("accepted", .accepted(response(200))), ("redirected", .redirected(request)),
    ("unauthorized", .unauthorized(response(401), token)), ("challenged", .unauthorized(response(401), nil)),
    ("failed", .failed(retry)), ("refused", .refused(failure)), ("interrupted", .interrupted(.cancelled)),
  ]

  private static let wayToSending: [Event] = [
    .described(request, isOffline: nil), .checked(isOffline: false), .tokenReceived(after: 0, .success(token)),
    attached,
  ]
  private static let wayToJudging = wayToSending + [end(1)]
  private static let wayToSecondJudging: [Event] = [.failed(retry), .checked(isOffline: false), attached, end(2)]

  /// The events that lead to each state, and the actions for the events that are valid there.
  private static let table: [(state: String, way: [Event], valid: [String: String])] = [
    ("preparing", [], ["prepared": "send", "described": "authorize", "offline": "waitForNetwork", "refused": "fail"]),
    (
      "admitting", Array(wayToSending.prefix(1)),
      ["admitted": "authorize", "disconnected": "waitForNetwork", "refused": "fail", "interrupted": "abandon"]
    ),
    (
      "authorizing", Array(wayToSending.prefix(2)),
      [
        "tokenReceived(0)": "sign", "noToken(0)": "fail", "authorized": "send", "refused": "fail",
        "timedOut(2)": "abandon", "interrupted": "abandon",
      ]
    ),
    (
      "signing", Array(wayToSending.prefix(3)),
      ["authorized": "send", "refused": "fail", "timedOut(2)": "abandon", "interrupted": "abandon"]
    ),
    (
      "sending", wayToSending,
      [
        "succeeded(1)": "accept", "ended(1)": "judge", "stopped(1)": "stop", "timedOut(3)": "stop",
        "interrupted": "abandon",
      ]
    ),
    (
      "judging", wayToJudging,
      [
        "accepted": "read", "redirected": "follow", "unauthorized": "reauthorize", "challenged": "reauthorize",
        "disconnected": "waitForNetwork", "failed": "pause", "refused": "fail", "interrupted": "abandon",
      ]
    ),
    (
      "signing after a redirect", wayToJudging + [.redirected(request)],
      ["authorized": "send", "refused": "fail", "timedOut(3)": "abandon", "interrupted": "abandon"]
    ),
    (
      "reauthorizing", wayToJudging + [.unauthorized(response(401), token)],
      [
        "tokenReceived(1)": "sign", "noToken(1)": "fail", "sameToken(1)": "judge", "authorized": "send",
        "refused": "fail",
        "timedOut(4)": "abandon", "interrupted": "abandon",
      ]
    ),
    ("reading", wayToJudging + [.accepted(response(200))], [:]),
    ("failing", wayToJudging + [.refused(failure)], [:]),
  ]

  private static func machine(after events: [Event]) -> Machine {
    var machine = Machine()
    for event in events { _ = machine.handle(event) }
    return machine
  }

  @Test(arguments: table.map(\.state))
  func eachStateHandlesOnlyItsValidEvents(state: String) throws {
    let row = try #require(Self.table.first { $0.state == state })
    expectEqual(Self.machine(after: row.way).state.name, state)
    for (name, event) in Self.events {
      var machine = Self.machine(after: row.way)
      let action = machine.handle(event).name
      #expect(action == row.valid[name] ?? "nothing", "\(state), \(name)")
      if action == "nothing" { #expect(machine.state.name == state, "\(state), \(name)") }
    }
  }

  @Test func finishedRequestHandlesNothing() {
    var machine = Self.machine(after: Self.wayToJudging + [.accepted(Self.response(200))])
    expectEqual(machine.claim(), .outcome)
    expectEqual(machine.state.name, "finished")
    for (name, event) in Self.events { #expect(machine.handle(event).name == "nothing", "\(name)") }
  }

  @Test func cancelDuringThePreparationEndsTheRequestAfterIt() {
    for event in [Self.prepared, .described(Self.request, isOffline: nil), .refused(Self.failure)] {
      var machine = Machine()
      expectEqual(machine.handle(.interrupted(.cancelled)).name, "nothing")
      expectEqual(machine.handle(.interrupted(.deadlinePassed)).name, "nothing")
      expectEqual(machine.claim(), nil)
      expectEqual(machine.handle(event).name, "abandon")
      expectEqual(machine.interruption, .cancelled)
      expectEqual(machine.claim(), .outcome)
      expectEqual(machine.claim(), nil)
    }
  }

  @Test func cancelWhileReadingReplacesTheModel() {
    var machine = Self.machine(after: Self.wayToJudging + [.accepted(Self.response(200))])
    expectEqual(machine.handle(.interrupted(.invalidated)).name, "nothing")
    expectEqual(machine.handle(.interrupted(.cancelled)).name, "nothing")
    expectEqual(machine.claim(), .interruption(.invalidated))
    expectEqual(machine.claim(), nil)
  }

  @Test(arguments: table.map(\.state))
  func completionIsClaimedOnce(state: String) throws {
    var machine = Self.machine(after: try #require(Self.table.first { $0.state == state }).way)
    expectEqual(machine.claim(), (["reading", "failing"].contains(state) ? .outcome : nil))
    expectEqual(machine.claim(), nil)
  }

  @Test func redirectStartsATransferInTheSameAttempt() {
    var machine = Self.machine(after: Self.wayToJudging)
    _ = machine.handle(.redirected(Self.request))
    _ = machine.handle(Self.attached)
    #expect(machine.attempt == 1 && machine.transfers == 2 && machine.redirects.count == 1)
    expectEqual(machine.handle(Self.end(1)).name, "nothing")
    expectEqual(machine.handle(Self.end(2)).name, "judge")
  }

  @Test func redirectWithoutTimeLeftIsNotFollowed() {
    var machine = Self.machine(after: Self.wayToJudging)
    expectEqual(machine.handle(.timedOut(timer: machine.timer)).name, "nothing")
    expectEqual(machine.handle(.redirected(Self.request)).name, "stop")
    expectEqual(machine.handle(.refused(Self.failure)).name, "fail")
    // The next attempt has its own time.
    machine = Self.machine(after: Self.wayToJudging + [.timedOut(timer: 3)] + Self.wayToSecondJudging)
    expectEqual(machine.handle(.redirected(Self.request)).name, "follow")
  }

  @Test func downloadThatStartsOverForgetsItsRedirects() {
    let other = TransportRequest(url: Self.url)
    let retry = Retry(delay: 1, cause: .status(503), failure: Self.failure, startsOver: true)
    let machine = Self.machine(
      after: Self.wayToJudging + [.redirected(other), .authorized(other, nil), Self.end(2), .failed(retry)])
    #expect(!machine.hasLeftOrigin && machine.redirects.isEmpty)
    expectEqual(machine.request?.url, Self.request.url)
    // Errors still hide the secrets of the URL that the redirect led to.
    expectEqual(machine.request?.formerRequests.count, 1)
  }

  /// Each attempt and each step behind a redirect may read one challenge. A signer gets no 401 that refused a token.
  @Test func challengeIsReadOnceForEachStep() {
    func hasRead(_ events: Event...) -> Bool { Self.machine(after: Self.wayToJudging + events).hasReadChallenge }
    let challenged = Event.unauthorized(Self.response(401), nil)
    #expect(hasRead(challenged))
    #expect(!hasRead(challenged, Self.attached, Self.end(2), .redirected(Self.request), Self.attached))
    #expect(!hasRead(challenged, Self.attached, Self.end(2), .failed(Self.retry)))
    let refused = Event.unauthorized(Self.response(401), Self.token)
    #expect(!hasRead(refused))
    #expect(hasRead(refused, .tokenReceived(after: 1, .failure(TokenError.expired))))
  }

  @Test func eachWaitForTheNetworkIsMeasuredByItself() {
    var machine = Self.machine(after: Array(Self.wayToSending.prefix(1)))
    machine.offlineSince = 3
    _ = machine.handle(.checked(isOffline: nil))
    expectEqual(machine.offlineSince, 3)
    _ = machine.handle(.checked(isOffline: false))
    expectEqual(machine.offlineSince, nil)
  }

  @Test func refusedTokenIsReplacedOnce() {
    var machine = Self.machine(after: Self.wayToSending)
    expectEqual(machine.replaceableToken(of: Self.authorized().request), Self.token)
    for event in [Self.end(1), .unauthorized(Self.response(401), Self.token)] { _ = machine.handle(event) }
    expectEqual(machine.phase, .authorize)
    expectEqual(machine.handle(.tokenReceived(after: 0, .success(Self.token))).name, "nothing")
    expectEqual(machine.handle(.tokenReceived(after: 1, .success(Self.token))).name, "sign")
    expectEqual(machine.handle(.tokenReceived(after: 1, .failure(TokenError.expired))).name, "nothing")
    expectEqual(machine.handle(Self.attached).name, "send")
    #expect(machine.attempt == 2 && machine.transfers == 2)
    expectEqual(machine.replaceableToken(of: Self.authorized().request), nil)
    expectEqual(machine.lastFailure?.kind, .statusCode(401))
  }

  @Test func failedAttemptPausesAndStartsAgain() throws {
    var machine = Self.machine(after: Self.wayToJudging)
    let names = [
      .failed(Retry(delay: nil, cause: .status(503), failure: Self.failure)),
      .checked(isOffline: true), Self.attached,
    ].map { (event: Event) in machine.handle(event).name }
    expectEqual(names, ["pause", "authorize", "send"])
    let transfer = try #require(machine.state.sent)
    #expect(transfer.number == 2 && machine.attempt == 2 && machine.isOffline && !transfer.isFollowing)
    expectEqual(transfer.connection, .new)
    // A step gets one new connection at most.
    for event in [
      Self.end(2), .failed(Self.retry), .checked(isOffline: false), Self.attached,
    ] { _ = machine.handle(event) }
    let third = try #require(machine.state.sent)
    #expect(third.number == 3 && third.connection == .newWasUsed && !machine.isOffline)
    for event in [Self.end(3), .redirected(Self.request), Self.attached] { _ = machine.handle(event) }
    expectEqual(machine.state.sent?.connection, .any)
    let other = Self.machine(
      after: Self.wayToJudging + [.failed(Self.retry), .checked(isOffline: false), Self.attached])
    expectEqual(other.state.sent?.connection, .any)
  }

  @Test func transferThatOnlyAskedTheCacheIsNoAttempt() {
    let token = Event.tokenReceived(after: 1, .success(Self.token))
    let machine = Self.machine(
      after: Self.wayToJudging + [.checked(isOffline: nil), .checked(isOffline: false), token, Self.attached])
    #expect(machine.isSending(2) && machine.attempt == 1)
  }

  /// The first transfer of an attempt that is sent starts the attempt's timer.
  @Test func attemptIsCountedOnceItIsSent() {
    var machine = Self.machine(after: Self.wayToSending)
    #expect(machine.isSending(1) && !machine.isSending(2))
    #expect(machine.countSent(2) == nil)
    expectEqual(machine.sentAttempts, 0)
    expectEqual((0..<2).map { _ in machine.countSent(1) }, [3, nil])
    expectEqual(machine.sentAttempts, 1)
    machine.takeBackAttempt()
    machine.takeBackAttempt()
    expectEqual(machine.sentAttempts, 0)
    _ = machine.countSent(1)
    for event in [Self.end(1), .redirected(Self.request), Self.attached] {
      _ = machine.handle(event)
    }
    #expect(machine.isSending(2))
    expectEqual(machine.countSent(2), nil)
    machine.takeBackAttempt()
    expectEqual(machine.sentAttempts, 1)
    _ = machine.handle(.interrupted(.cancelled))
    #expect(!machine.isSending(2))
  }

  @Test func firstTransferOfAnAttemptMayBeARedirectOfAnotherThatWasNotSent() {
    var machine = Self.machine(after: Self.wayToJudging + [.redirected(Self.request), Self.attached])
    expectEqual(machine.countSent(2), 3)
    expectEqual(machine.handle(.timedOut(timer: 3)).name, "stop")
  }

  /// Each wait has a number of its own, so that the thread that set its timer can't keep it for the next wait.
  @Test func timersOfWaitsHaveTheirOwnNumbers() {
    var machine = Self.machine(after: Self.wayToJudging)
    var numbers: [Int] = [machine.timer]
    for event in [
      .failed(Self.retry), .checked(isOffline: nil), .checked(isOffline: nil), .checked(isOffline: false),
      .tokenReceived(after: 1, .failure(TokenError.signedOut)),
    ] as [Event] {
      _ = machine.handle(event)
      numbers.append(machine.timer)
    }
    expectEqual(numbers, Array(3...8))
  }

  @Test func timeoutIsIgnoredWhileBytesArrive() {
    var machine = Self.machine(after: Self.wayToSending)
    expectEqual(machine.begin(2, isGood: true), false)
    expectEqual(machine.begin(1, isGood: true), true)
    expectEqual(machine.handle(.timedOut(timer: 3)).name, "nothing")
    expectEqual(machine.begin(1, isGood: false), true)
    expectEqual(machine.handle(.timedOut(timer: 3)).name, "stop")
    expectEqual(machine.begin(1, isGood: true), false)
  }

  @Test func requestThatCannotBeSentAgainGetsIts401OnceTheTokenIsReplaced() {
    let sent = Self.authorized(.stream(PieceStream([], isReplayable: false)))
    expectReplaceable(sent, true)
    var machine = Self.machine(after: [
      .prepared(sent.request, sent.credentials), Self.end(1), .unauthorized(Self.response(401), Self.token),
    ])
    expectEqual(machine.handle(.tokenReceived(after: 1, .success(Self.token))).name, "read")
  }

  @Test func tokenIsReplacedWhereTheRequestCarriesIt() {
    expectReplaceable(Self.authorized(), true)
    expectReplaceable(Self.authorized(header: nil), false)
    expectReplaceable(Self.authorized(header: "somebody else's"), false)
    expectReplaceable(Self.authorized(.none, .bearerToken("secret")), false)
    expectReplaceable(Self.authorized(.none, .none), false)
  }

  @Test func secretsOfRefusedCredentialsStaySecret() throws {
    func credentials(_ token: String, after former: AttachedCredentials?) throws -> AttachedCredentials {
      try AttachedCredentials(.apiToken, for: Self.request, token: AccessToken(value: token), after: former)
    }
    let first = try credentials("first", after: nil)
    let second = try credentials("second", after: credentials("first", after: first))
    expectEqual(Set(second.secrets), ["first", "second"])
    expectEqual(second.secrets.count, first.secrets.count * 2)
    let last = try (0..<1000).reduce(first) { try credentials("token \($1)", after: $0) }
    expectEqual(last.secrets.count, AttachedCredentials.formerLimit + first.secrets.count)
  }

  @Test func timeLimitsAreToldFromOtherEndsOfATransfer() {
    func timedOut(hasBegun: Bool = false, _ events: Event...) -> Int? {
      var machine = Machine()
      for event in Self.wayToSending { _ = machine.handle(event) }
      if hasBegun { _ = machine.begin(1, isGood: true) }
      for event in events { _ = machine.handle(event) }
      return machine.timedOutTransfer
    }
    expectEqual(timedOut(.timedOut(timer: Self.machine(after: Self.wayToSending).timer)), 1)
    expectEqual(timedOut(.interrupted(.deadlinePassed)), 1)
    expectEqual(timedOut(.interrupted(.cancelled)), nil)
    expectEqual(timedOut(.interrupted(.invalidated)), nil)
    expectEqual(timedOut(.stopped(transfer: 1, TransportError(.file, message: "", mayHaveReachedServer: true))), nil)
    // A server that has begun a good response works.
    expectEqual(timedOut(hasBegun: true, .interrupted(.deadlinePassed)), nil)
    expectEqual(timedOut(Self.end(1), .interrupted(.deadlinePassed)), nil)
  }

  private func expectReplaceable(
    _ authorized: (request: TransportRequest, credentials: AttachedCredentials?), _ isReplaceable: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let machine = Self.machine(
      after: Self.wayToSending.dropLast() + [.authorized(authorized.request, authorized.credentials)])
    #expect((machine.replaceableToken(of: authorized.request) != nil) == isReplaceable, sourceLocation: sourceLocation)
  }
}

extension RequestStateMachine.State {
  fileprivate var name: String {
    if case .signing(isFollowing: true) = self { "signing after a redirect" } else { caseName(self) }
  }

  /// The transfer that is sent and has received nothing.
  fileprivate var sent: RequestTransfer? { if case .sending(let transfer) = self { transfer } else { nil } }
}

extension RequestStateMachine.Action {
  fileprivate var name: String { caseName(self) }
}

/// The name of an enumeration's case, without its values.
private func caseName(_ value: some Sendable) -> String {
  Mirror(reflecting: value).children.first?.label ?? "\(value)"
}
