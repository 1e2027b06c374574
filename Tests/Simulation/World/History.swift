import Foundation
import WebServicesCore

/// The events of a world, in order.
struct History: Sendable {
  struct Entry: Sendable {
    let time: Double
    /// How many pieces of work had begun.
    let step: Int
    let sight: Sight
  }

  enum Sight: Sendable {
    case step(String)
    case started(call: Int)
    case ended(call: Int, Outcome)
    case cancelled(call: Int)
    /// An element of a stream.
    case element(call: Int, String)
    /// A session has begun to send a transfer.
    case sent(Sending)
    /// A transfer has ended, and the library is told.
    case over(transfer: Int, Ending)
    case received(Reception)
    /// The library has the head of a stream.
    case begun(reception: Int)
    /// The session gives the answer to a request to the library.
    case answered(reception: Int, status: Int?)
    /// The library has done what it does with the answer.
    case taken(reception: Int)
    /// A sign-out has returned.
    case signedOut(process: Int, user: Int?)
    /// The manager says that the server ended the session.
    case lostSession(process: Int)
    case signedIn(process: Int, user: Int, AuthenticationInfo)
    /// A service was closed, for the requests among as many entries as there were when that began.
    case closed(entries: Int)
    case stored(StoredToken)
    /// The first process has removed all responses from its cache.
    case emptiedCache
    /// A promise is broken, or something is left, as the world itself has seen.
    case broken(String)
    /// The process is killed.
    case died
    case progress(call: Int, TransportRequest.Progress)
    /// A monitor gets an event of a request.
    case event(request: UInt64, kind: String, time: Double)
  }

  /// How a transfer ended.
  enum Ending: Sendable, Equatable {
    case status(Int, retryAfter: Double?)
    /// The head of a response that broke off may demand a wait.
    case failed(isStale: Bool, retryAfter: Double?)
    case cancelled
  }

  private(set) var entries: [Entry] = []

  mutating func add(_ sight: Sight, at time: Double, step: Int) {
    entries.append(Entry(time: time, step: step, sight: sight))
  }

  /// The end of each call, as its caller sees it.
  var ends: [Int: String] {
    var ends: [Int: String] = [:]
    for case .ended(let call, let outcome) in entries.map(\.sight) {
      let kind = outcome.kind.map { "\($0)" } ?? "success"
      ends[call] = "\(kind) \(outcome.status ?? 0) \(outcome.isWhole) for user \(outcome.user ?? 0)"
    }
    return ends
  }

  var receptions: [(time: Double, Reception)] {
    entries.compactMap { if case .received(let reception) = $0.sight { ($0.time, reception) } else { nil } }
  }
}

/// A transfer, as the session gets it.
struct Sending: Sendable {
  var number: Int
  var process: Int
  var host: String
  var path: String
  var call: Int?
  var resource: Int?
  /// Whether the body can be sent only once.
  var hasStream: Bool
  var needsNewConnection: Bool
  var token: String?
}

/// A request that a server has received.
struct Reception: Sendable {
  /// The number of the transfer.
  var number: Int
  var call: Int?
  var resource: Int?
  /// The version of the resource in the response.
  var version: Int?
  var cookie: String?
  /// The cookie that a response to this request may set.
  var newCookie: String { "visit=\(process).\(number).session" }
  /// The process that sent the request.
  var process: Int
  var method: String
  var url: String
  /// The token of the request, access or refresh.
  var token: String?
  /// The user who has the token, whether it is still valid or not.
  var user: Int?
  var answer: CallPlan.Answer?
  /// The renewal's answer, for a request to the token server.
  var renewal: AccountPlan.Answer?
  /// The tokens of a renewal.
  var issued: AuthenticationInfo?
  /// Why the token was refused.
  var refusal: Refusal?

  enum Refusal: Sendable { case expired, revoked, script, usedRefreshToken, endedSession }
}

/// The end of a call.
struct Outcome: Sendable {
  var status: Int?
  /// `nil` for a success.
  var kind: WebServiceError.Kind?
  var text = ""
  /// The user for whom the server made the content.
  var user: Int?
  /// The request to which the response belongs, and the version in its body.
  var reception: Int?
  var version: Int?
  /// Whether a stream or a file has exactly the server's content.
  var isWhole = true
  /// Whether the completion ran on its queue.
  var isInPlace = true
  /// Whether the completion ran inside the call that started the request.
  var isInsideCall = false
  /// The step in which the work began that ran the completion.
  var begin = 0
}

extension History.Entry: CustomStringConvertible {
  var description: String { String(format: "%10.3f  ", time - 1000) + "\(sight)" }
}
