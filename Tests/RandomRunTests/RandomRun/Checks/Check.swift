/// A promise, and what shows in a record that it wasn't kept: pure.
struct Check: Sendable {
  /// The promise in one line.
  let promise: String
  let violations: @Sendable (Plan, Record) -> [String]

  /// Seconds that a request may take from a client to a server.
  static let travelTime = 0.35

  /// All promises.
  static let all: [Check] = [
    .eachCallEndsOnce, .bodiesAreSentOnce, .identitiesStayApart, .nothingOutlivesTheSignOut, .secretsStayAtHome,
    .textsHaveNoSecret, .timesAreKept, .responsesAreItsOwn, .contentIsWhole, .wellServedCallsSucceed,
    .tokensAreRenewedOnce, .requestsAreFew, .nothingIsLeft, .memoryIsBounded,
  ]
}

/// A promise that wasn't kept in a run.
package struct Violation: Hashable, Sendable, CustomStringConvertible {
  package var promise: String
  package var details: String
  package var description: String { "\(promise): \(details)" }

  static func all(in record: Record, of plan: Plan) -> [Violation] {
    Check.all.flatMap { check in
      check.violations(plan, record).map { Violation(promise: check.promise, details: $0) }
    }
  }
}
