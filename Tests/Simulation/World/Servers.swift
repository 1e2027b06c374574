import Foundation
import WebServicesCore

/// The servers of a world: two origins, and the token server.
///
/// A path `/own/7` belongs to call 7, whose plan says the answers. The servers check tokens as the token server gave
/// them.
struct Servers {
  static let api = "https://api.test"
  static let other = "https://other.test"
  static let tokens = "https://tokens.test"

  /// The session of a user at the token server.
  struct Session: Sendable {
    /// The valid refresh token. A renewal makes the former one invalid.
    var refreshToken: String
    var isEnded = false
  }

  private(set) var sessions: [Int: Session] = [:]
  /// The time until which an access token is valid; -1 for one that was revoked.
  private(set) var expiries: [String: Double] = [:]
  private var answers: [AccountPlan.Answer]
  private let account: AccountPlan
  private var refreshTokenCount = 0
  private var stepCounts: [Int: Int] = [:]
  private var versions: [Int: Int] = [:]
  private var resourceSteps: [Int: Int] = [:]
  private var fileStep = 0

  init(_ account: AccountPlan) {
    self.account = account
    answers = account.answers
  }

  // MARK: Tokens

  /// Opens a session for a user, as a server does after a sign-in.
  mutating func signIn(_ user: Int, now: Double) -> AuthenticationInfo {
    sessions[user] = Session(refreshToken: makeRefreshToken(user))
    return issue(user, now: now)
  }

  private mutating func makeRefreshToken(_ user: Int) -> String {
    refreshTokenCount += 1
    return "R.\(user).\(refreshTokenCount)"
  }

  private mutating func issue(_ user: Int, now: Double) -> AuthenticationInfo {
    let access = "A.\(user).\(expiries.count)"
    expiries[access] = now + Double(account.lifetime)
    return AuthenticationInfo(
      apiToken: access, secondsRemaining: account.lifetime, refreshToken: sessions[user]?.refreshToken)
  }

  mutating func revoke(_ user: Int, wholeSession: Bool) {
    for token in expiries.keys where Self.user(of: token) == user { expiries[token] = -1 }
    if wholeSession { sessions[user]?.isEnded = true }
  }

  /// The user in the name of a token.
  static func user(of token: String) -> Int? {
    let parts = token.split(separator: ".")
    return parts.count > 2 ? Int(parts[1]) : nil
  }

  // MARK: Requests

  mutating func receive(
    _ request: TransportRequest, number: Int, process: Int, plan: Plan, now: Double
  ) -> (Reception, Reply) {
    var reception = Reception(
      number: number, process: process, method: "\(request.method.rawValue)", url: request.address)
    let token = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
    if request.address.hasPrefix(Self.tokens) { return renew(request, reception, now: now) }
    reception.token = token
    reception.user = token.flatMap(Self.user)
    let path = request.target?.pathAndQuery.split(separator: "/").map(String.init) ?? []
    reception.cookie = request.headers["Cookie"]
    if path.first == "r", path.count > 1, let number = Int(path[1]), plan.resources.indices.contains(number) {
      reception.resource = number
      return answer(to: reception, request, plan.resources[number], now: now)
    }
    if path.first == "f" { return answerFile(to: reception, request, plan, now: now) }
    guard path.first == "own", path.count > 1, let number = Int(path[1]),
      let call = plan.calls.first(where: { $0.number == number })
    else { return (reception, reply(to: reception, request, status: 404)) }
    reception.call = number
    let step = stepCounts[number, default: 0]
    let answer = call.answer(step)
    if answer.reachesServer, let reply = refuse(&reception, request, now: now) { return (reception, reply) }
    stepCounts[number] = step + 1
    reception.answer = answer
    if case .status(401, _, _) = answer { reception.refusal = .script }
    let file = ServedFile(Self.lines, ranges: plan.file.ranges, isCompressed: plan.file.isCompressed)
    return (reception, reply(to: reception, request, answer, step: step, file))
  }

  /// The reply to a request whose token isn't valid; `nil` for any other request.
  private func refuse(_ reception: inout Reception, _ request: TransportRequest, now: Double) -> Reply? {
    guard let token = reception.token, (expiries[token] ?? -1) <= now else { return nil }
    reception.refusal = expiries[token] == -1 ? .revoked : .expired
    return reply(to: reception, request, status: 401)
  }

  private func reply(
    to reception: Reception, _ request: TransportRequest, _ answer: CallPlan.Answer, step: Int,
    _ file: ServedFile = ServedFile(lines)
  ) -> Reply {
    func failure(
      _ kind: TransportError.Kind, _ delay: Double, isReceived: Bool = true, isStale: Bool = false,
      response: WebServiceResponse? = nil
    ) -> Reply {
      var error = TransportError(kind, message: "simulated", mayHaveReachedServer: isReceived, response: response)
      error.isStaleConnection = isStale
      return Reply(reception: reception.number, result: .failure(error), delay: delay, isReceived: isReceived)
    }
    switch answer {
    case .parts(let count, let gap, let breaks): return parts(count, gap, breaks, reception, request, file)
    case .status(let status, let delay, let retryAfter):
      let headers: HTTPHeaders = retryAfter.map { ["Retry-After": "\($0)"] } ?? [:]
      return reply(to: reception, request, status: status, headers, after: delay)
    case .redirect(let status, let toOther, let delay):
      let origin = toOther ? Self.other : request.target?.origin.text ?? Self.api
      let headers: HTTPHeaders = ["Location": "\(origin)/own/\(reception.call ?? 0)/\(step + 1)"]
      return reply(to: reception, request, status: status, headers, after: delay)
    case .silence: return Reply(reception: reception.number)
    case .breaks(let delay): return failure(.connectionLost, delay)
    case .stale: return failure(.connectionLost, 0, isStale: true)
    case .refusesConnection: return failure(.cannotConnect, 0, isReceived: false)
    case .cut(let delay, let retryAfter):
      let head = retryAfter.map { wait in
        WebServiceResponse(statusCode: 503, headers: ["Retry-After": "\(wait)"], url: request.url)
      }
      return failure(.truncated, delay, response: head)
    }
  }

  // MARK: Streams

  static let lines = (1...16).map { "line \($0)" }

  /// The user of a token that the client gets by its own credentials.
  static let client = 9
  /// How tokens and cookies begin.
  static let secrets = ["A.1.", "A.2.", "A.3.", "A.9.", "R.1.", "R.2.", "visit=0.", "visit=1."]

  static func lines(of user: Int, version: Int) -> [String] {
    (1...16).map { "line \($0) of version \(version) for user \(user)" }
  }

  /// A version of a file, and how the server sends parts of it.
  private struct ServedFile {
    let content: Data
    let tag: String
    let ranges: FilePlan.Ranges
    let isCompressed: Bool

    /// - Parameter version: the same for all users, as a careless server has it. The client's own files have another:
    ///   a sign-in over the client's own token ends no request.
    init(_ lines: [String], version: String = "0", ranges: FilePlan.Ranges = .exact, isCompressed: Bool = false) {
      content = Data(lines.map { $0 + "\n" }.joined().utf8)
      tag = "\"\(version)\""
      (self.ranges, self.isCompressed) = (ranges, isCompressed)
    }

    /// The part that a request asks for; `nil` for the whole file.
    func part(for request: TransportRequest) -> Range<Int>? {
      if ranges == .unasked, request.headers["Range"] == nil, request.headers["Accept"] == "*/*" { return 0..<40 }
      guard let start = request.headers["Range"]?.filter(\.isNumber), let offset = Int(start), ranges != .none else {
        return nil
      }
      if let tag = request.headers["If-Range"], tag != self.tag, ranges != .anyVersion { return nil }
      let first = ranges == .shifted ? offset + 3 : offset
      let end = ranges == .shorter ? min(content.count, first + 40) : content.count
      return first < end ? first..<end : 0..<0
    }
  }

  private mutating func answerFile(
    to reception: Reception, _ request: TransportRequest, _ plan: Plan, now: Double
  ) -> (Reception, Reply) {
    var reception = reception
    if let reply = refuse(&reception, request, now: now) { return (reception, reply) }
    let answer = plan.file.script[min(fileStep, plan.file.script.count - 1)]
    let version = fileStep / plan.file.life
    fileStep += 1
    reception.answer = answer
    let file = ServedFile(
      Self.lines(of: reception.user ?? 0, version: version),
      version: reception.user == Self.client ? "\(version).client" : "\(version)", ranges: plan.file.ranges,
      isCompressed: plan.file.isCompressed)
    return (reception, reply(to: reception, request, answer, step: 0, file))
  }

  /// A response in eight parts: events after the last one that the client has, a file after a number of bytes, or
  /// lines.
  private func parts(
    _ count: Int, _ gap: Double, _ breaks: Bool, _ reception: Reception, _ request: TransportRequest,
    _ file: ServedFile
  ) -> Reply {
    var headers: HTTPHeaders = ["Cache-Control": "no-store", "ETag": file.tag]
    headers["X-User"] = reception.user.map { "\($0)" }
    if reception.url.hasPrefix(Self.api) { headers["Set-Cookie"] = "\(reception.newCookie); Path=/" }
    var (status, content) = (200, file.content)
    if request.headers["Accept"] == "text/event-stream" {
      let last = request.headers["Last-Event-ID"].flatMap { Int($0) } ?? 0
      headers["Content-Type"] = "text/event-stream"
      content = Data((last + 1...last + 8).map { "id: \($0)\ndata: event \($0)\n\n" }.joined().utf8)
    } else if let part = file.part(for: request) {
      guard !part.isEmpty else { return reply(to: reception, request, status: 416) }
      headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(content.count)"
      (status, content) = (206, content[part])
    }
    let isCompressed = file.isCompressed && request.headers["Range"] == nil
    headers["Content-Length"] = headers["Content-Type"] == nil && !isCompressed ? "\(content.count)" : nil
    let size = content.count / 8 + 1
    let parts = (0..<count).map { Data(content.dropFirst($0 * size).prefix(size)) }
    var head = WebServiceResponse(statusCode: status, headers: headers, url: request.url)
    head.isDecoded = isCompressed
    var reply = Reply(reception: reception.number, result: .success(head), delay: gap)
    (reply.parts, reply.gap) = (parts.filter { !$0.isEmpty }, gap)
    if count < 8 {
      let error = TransportError(.truncated, message: "simulated", mayHaveReachedServer: true, response: head)
      reply.ending = breaks ? .failure(error) : .some(nil)
    }
    return reply
  }

  // MARK: Resources

  private mutating func answer(
    to reception: Reception, _ request: TransportRequest, _ plan: ResourcePlan, now: Double
  ) -> (Reception, Reply) {
    var reception = reception
    let number = reception.resource ?? 0
    if let reply = refuse(&reception, request, now: now) { return (reception, reply) }
    let step = resourceSteps[number, default: 0]
    resourceSteps[number] = step + 1
    let answer = plan.script[min(step, plan.script.count - 1)]
    reception.answer = answer
    guard case .status(200, let delay, _) = answer else {
      return (reception, reply(to: reception, request, answer, step: step))
    }
    let isRead = request.method == .get
    if !isRead { versions[number, default: 0] += 1 }
    let version = versions[number, default: 0]
    reception.version = version
    var headers: HTTPHeaders = ["X-Reception": "\(reception.number)"]
    let tag = "\"\(version).\(reception.user ?? 0)\""
    if isRead, let maxAge = plan.maxAge {
      let (revalidating, failing) = (plan.staleWhileRevalidate, plan.staleIfError)
      headers["Cache-Control"] =
        "max-age=\(maxAge), stale-while-revalidate=\(revalidating), stale-if-error=\(failing)"
      if plan.hasTag { headers["ETag"] = tag }
    }
    // Every response signs the visitor in once more, as servers with sliding sessions do.
    headers["Set-Cookie"] = "\(reception.newCookie); Path=/"
    if isRead, let next = plan.redirect {
      headers["Location"] = "/r/\(next)"
      return (reception, reply(to: reception, request, status: 301, headers, after: delay))
    }
    if isRead, plan.hasTag, request.headers["If-None-Match"] == tag {
      return (reception, reply(to: reception, request, status: 304, headers, after: delay))
    }
    return (reception, reply(to: reception, request, status: 200, headers, body: "\(version)", after: delay))
  }

  private func reply(
    to reception: Reception, _ request: TransportRequest, status: Int, _ headers: HTTPHeaders = [:],
    body: String = "{}", after delay: Double = 0
  ) -> Reply {
    var headers = headers
    headers["Cache-Control"] = headers["Cache-Control"] ?? "no-store"
    headers["X-User"] = reception.user.map { "\($0)" }
    // A server that fails repeats what it was sent, and may announce any length.
    var body = status == 204 || status == 304 ? "" : body
    if status >= 400 { body = "{\"you\": \"\(reception.token ?? "") \(reception.cookie ?? "")\"}" }
    if status == 500 { headers["Content-Length"] = "\(Int64.max)" }
    let response = WebServiceResponse(
      statusCode: status, headers: headers, url: request.url, body: Data(body.utf8))
    return Reply(reception: reception.number, result: .success(response), delay: delay)
  }

  private func tokenReply(_ status: Int, _ body: String, _ reception: Reception, _ request: TransportRequest) -> Reply {
    let response = WebServiceResponse(
      statusCode: status, headers: ["Content-Type": "application/json"], url: request.url, body: Data(body.utf8))
    return Reply(
      reception: reception.number, result: .success(response), delay: reception.renewal == .late ? 6 : account.delay)
  }

  /// The reply that brings no token; `nil` for a good answer.
  private func failure(
    _ answer: AccountPlan.Answer, _ reception: Reception, _ request: TransportRequest, refusal: String
  ) -> Reply? {
    switch answer {
    case .down: return tokenReply(503, "", reception, request)
    case .refused: return tokenReply(400, #"{"error": "\#(refusal)"}"#, reception, request)
    case .silent: return Reply(reception: reception.number)
    case .lost:
      let error = TransportError(.connectionLost, message: "simulated", mayHaveReachedServer: true)
      return Reply(reception: reception.number, result: .failure(error), delay: account.delay)
    default: return nil
    }
  }

  /// Answers a request with the client's own credentials.
  private mutating func grant(
    _ request: TransportRequest, _ reception: Reception, now: Double
  ) -> (Reception, Reply) {
    var reception = reception
    let answer = answers.isEmpty ? .good : answers.removeFirst()
    (reception.user, reception.renewal) = (Self.client, answer)
    if let failure = failure(answer, reception, request, refusal: "invalid_grant") { return (reception, failure) }
    let info = issue(Self.client, now: now)
    reception.issued = info
    let body = #"{"access_token": "\#(info.apiToken)", "expires_in": \#(account.lifetime)}"#
    return (reception, tokenReply(200, body, reception, request))
  }

  private mutating func renew(
    _ request: TransportRequest, _ reception: Reception, now: Double
  ) -> (Reception, Reply) {
    var reception = reception
    guard case .data(let data) = request.body else {
      return (reception, self.reply(to: reception, request, status: 400))
    }
    if String(decoding: data, as: UTF8.self).contains("grant_type=client_credentials") {
      return grant(request, reception, now: now)
    }
    guard
      let token = String(decoding: data, as: UTF8.self).split(separator: "&")
        .first(where: { $0.hasPrefix("refresh_token=") })?.dropFirst("refresh_token=".count).description
    else { return (reception, self.reply(to: reception, request, status: 400)) }
    let user = Self.user(of: token)
    (reception.token, reception.user) = (token, user)
    func reply(_ status: Int, _ body: String) -> Reply { tokenReply(status, body, reception, request) }
    guard let user, let session = sessions[user], !session.isEnded, token == session.refreshToken else {
      reception.refusal = user.flatMap { sessions[$0]?.isEnded } == true ? .endedSession : .usedRefreshToken
      return (reception, reply(400, #"{"error": "invalid_grant"}"#))
    }
    let answer = answers.isEmpty ? .good : answers.removeFirst()
    reception.renewal = answer
    let failure = failure(answer, reception, request, refusal: "invalid_client")
    if let failure, answer != .lost { return (reception, failure) }
    let rotates = answer.rotates
    if rotates {
      let next = makeRefreshToken(user)
      sessions[user]?.refreshToken = next
    }
    let info = issue(user, now: now)
    reception.issued = info
    if let failure { return (reception, failure) }
    var members = [#""access_token": "\#(info.apiToken)""#, #""expires_in": \#(account.lifetime)"#]
    if rotates, let refresh = info.refreshToken { members.append(#""refresh_token": "\#(refresh)""#) }
    switch answer {
    case .emptyRefreshToken: members.append(#""refresh_token": """#)
    case .scopeArray: members.append(#""scope": ["read", "write"]"#)
    case .numberedID: members.append(#""id_token": 7"#)
    default: break
    }
    return (reception, reply(200, "{\(members.joined(separator: ", "))}"))
  }
}

extension CallPlan.Answer {
  /// Whether the server reads the request.
  var reachesServer: Bool {
    switch self {
    case .refusesConnection, .stale: false
    default: true
    }
  }
}
