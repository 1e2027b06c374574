import WebServicesCore

extension Check {
  /// Promise 2, and what a user may expect: nobody who has a good token or refresh token is refused or signed out.
  static let tokens = Check(promise: "tokens serve their user") { plan, history in
    var book = TokenBook(plan)
    history.entries.forEach { book.read($0) }
    return book.violations
  }
}

/// The tokens of each process, as the process knows them. It reads a history in order.
private struct TokenBook {
  /// An access token as its process knows it.
  private struct Access {
    var name: String
    /// How many entries the history had when the process was given the token.
    var place: Int
    var expiry: Double
    var isRefused = false
    /// Tokens are numbered in the order in which they were issued.
    var number: Int { name.split(separator: ".").last.flatMap { Int($0) } ?? 0 }
    var user: [Substring] { name.split(separator: ".").dropLast() }
  }

  private let plan: Plan
  private let calls: [Int: CallPlan]
  private var access: [Int: [Access]] = [:]
  /// The tokens that a server has refused, perhaps before the history notes how a process came by them.
  private var refused: Set<String> = []
  private var starts: [Int: Int] = [:]
  private var place = 0
  /// When each process renewed last.
  private var renewals: [Int: Double] = [:]
  /// The requests that wait for an answer.
  private var requests: [Int: Reception] = [:]
  /// The refresh tokens that were renewed with an answer, by process.
  private var used: [Int: Set<String>] = [:]
  /// The valid refresh token that each process has been given, or that is in the storage.
  private var live: [Int: String] = [:]
  private var storedRefreshToken: String?
  private var storedTime = 0.0
  private var validRefreshToken: String?
  private var isLost = false
  private var storedTokens: Set<String> = []
  /// The pauses after failed renewals.
  private var pauses: [Int: (end: Double, count: Int)] = [:]
  /// The answer to the last renewal of each process.
  private var lastRenewal: [Int: AccountPlan.Answer] = [:]
  /// The processes whose last answer of the token server was one to the client's own credentials.
  private var ownGrants: Set<Int> = []
  /// The processes whose user's refresh token was refused, and who haven't told so yet.
  private var refusedUsers: Set<Int> = []
  /// Whether a sign-out or the end of a service may have lost a token.
  private var isDisturbed = false
  /// The refusals of each call's tokens: whether the token's life was over.
  private var refusals: [Int: [Bool]] = [:]
  /// Whether the storage or the process had the valid refresh token when the server refused another one.
  private var hadValidToken: [Int: Bool] = [:]
  private(set) var violations: [String] = []

  init(_ plan: Plan) {
    self.plan = plan
    calls = Dictionary(plan.calls.map { ($0.number, $0) }) { $1 }
    // While work is stopped, a renewal may time out.
    isDisturbed = plan.stallRate > 0 || plan.contains { if case .releaseService = $0 { true } else { false } }
  }

  mutating func read(_ entry: History.Entry) {
    place += 1
    switch entry.sight {
    case .signedIn(let process, _, let info): take(info, process, entry.time)
    case .step(let text)
    where ["signOut", "swap", "shutDown", "revoke", "fillDisk", "kill"].contains(where: text.hasPrefix):
      isDisturbed = true
    case .started(let call): starts[call] = place
    case .stored(let token):
      (storedRefreshToken, storedTime) = (token.refreshToken, entry.time)
      storedTokens.insert(token.apiToken)
    case .received(let reception):
      if reception.renewal != nil {
        // Two processes that renew at about the same moment can't know of each other.
        if renewals.contains(where: { $0.key != reception.process && $0.value > entry.time - 1 }) { isDisturbed = true }
        renewals[reception.process] = entry.time
      }
      requests[reception.number] = reception
      if reception.url.hasPrefix(Servers.tokens), let pause = pauses[reception.process], entry.time < pause.end - 0.001,
        !isDisturbed, !plan.account.grantsItself, !plan.contains({ if case .openTwin = $0 { true } else { false } })
      {
        violations.append("process \(reception.process) renews within the pause after a failure")
      }
      if let token = reception.token, used[reception.process]?.contains(token) == true, !isDisturbed {
        violations.append("process \(reception.process) renewed with \(token) again")
      }
      // A renewal that began before the other process had stored its token ends within 4 s.
      if reception.refusal == .usedRefreshToken, !isDisturbed, !isLost, storedTime < entry.time - 4,
        storedRefreshToken != nil, storedRefreshToken == validRefreshToken
      {
        violations.append("process \(reception.process) renewed with \(reception.token ?? ""), which was replaced")
      }
      if Servers.tokens.hasSuffix(reception.url.split(separator: "/").dropFirst().first ?? "?") {
        lastRenewal[reception.process] = reception.renewal
      }
      if reception.renewal?.rotates == true {
        validRefreshToken = reception.issued?.refreshToken
        if [.lost, .late].contains(reception.renewal) { isLost = true }
      }
    case .sent(let sending):
      if plan.switchRate == 0, let token = sending.token, token.hasPrefix("A."), !storedTokens.contains(token) {
        violations.append("\(token) was sent before it was stored")
      }
    case .answered(let number, let status):
      requests[number].map { readAnswer(to: $0, status, entry.time) }
    case .lostSession(let process):
      if refusedUsers.remove(process) == nil, ownGrants.contains(process) {
        violations.append("process \(process), which has no user, was signed out")
      }
      if !isDisturbed, hadValidToken[process] == true { violations.append("process \(process) lost a good session") }
      isDisturbed = true
    case .ended(let number, let outcome): readEnd(of: number, outcome, entry.time)
    default: break
    }
  }

  private mutating func take(_ info: AuthenticationInfo, _ process: Int, _ time: Double) {
    access[process, default: []].append(
      Access(
        name: info.apiToken, place: place, expiry: time + Double(info.secondsRemaining),
        isRefused: refused.contains(info.apiToken)))
    pauses[process] = nil
    (live[process], validRefreshToken) = (info.refreshToken, info.refreshToken)
  }

  private mutating func readAnswer(to reception: Reception, _ status: Int?, _ time: Double) {
    let process = reception.process
    if reception.url.hasPrefix(Servers.tokens) {
      // The pause is 1 s, doubled with each failure up to 60 s.
      let count = (pauses[process]?.count ?? -1) + 1
      let end = time + min(60, Double(1 << min(count, 6)))
      pauses[process] = status == 200 ? nil : (end, count)
      if reception.token == nil { ownGrants.insert(process) } else { ownGrants.remove(process) }
    }
    if let info = reception.issued, status == 200 {
      take(info, process, time)
      if let token = reception.token, reception.renewal?.rotates == true { used[process, default: []].insert(token) }
    } else if reception.refusal == .endedSession {
      refusedUsers.insert(process)
    } else if reception.refusal == .usedRefreshToken {
      refusedUsers.insert(process)
      hadValidToken[process] =
        !isLost && validRefreshToken != nil && [live[process], storedRefreshToken].contains(validRefreshToken)
      // The server ends the session for a reason.
      if hadValidToken[process] == false { isDisturbed = true }
    } else if status == 401 {
      let index = access[process]?.firstIndex { $0.name == reception.token }
      if let token = reception.token { refused.insert(token) }
      if let index { access[process]?[index].isRefused = true }
      // A redirect leads to a server that refuses a request without a token.
      guard let call = reception.call else { return }
      refusals[call, default: []].append(index.map { (access[process]?[$0].expiry ?? time) <= time } ?? false)
    }
  }

  private mutating func readEnd(of number: Int, _ outcome: Outcome, _ time: Double) {
    guard !isDisturbed, let call = calls[number], call.needsToken else { return }
    let couldRenew =
      plan.account.grantsItself || access[call.process]?.contains { $0.place < starts[number] ?? 0 } == true
    if outcome.kind == .token, plan.account.answers.isEmpty, plan.hasOnlyCalls, call.process == 0,
      plan.account.grantsItself || !isLost && couldRenew
    {
      violations.append("call \(number) was refused, and the token server works")
    }
    if outcome.kind == .statusCode(401), refusals[number] == [true], !call.hasStream {
      violations.append("call \(number) has a 401 for a token whose life was over, and could have had another one")
    }
    if call.form == .events, outcome.kind == .token, couldRenew,
      [.lost, .late, .silent].contains(lastRenewal[call.process])
    {
      violations.append("the events of call \(number) ended, because one renewal met a lost connection")
    }
    // Each token replaces the one before it, and the history may note them in another order.
    if outcome.kind == .token, let good = access[call.process]?.max(by: { $0.number < $1.number }), !good.isRefused,
      good.expiry > time, good.place < starts[number] ?? 0,
      // A user may have signed in meanwhile, whose token the process has instead.
      access[call.process]?.allSatisfy({ $0.user == good.user }) == true
    {
      violations.append("call \(number) was refused, and \(good.name) is good for \(good.expiry - time) s")
    }
  }
}
