/// A promise, and a pure function that finds its violations in a record.
struct Check: Sendable {
  /// The promise in one line.
  let promise: String
  let violations: @Sendable (Plan, Record) -> [String]

  /// The most seconds that a request takes from a client to a server.
  static let travelTime = 0.35

  /// All promises.
  static let all: [Check] = [
    .eachCallEndsOnce, .bodiesAreSentOnce, .identitiesStayApart, .nothingOutlivesTheSignOut, .secretsStayAtHome,
    .textsHaveNoSecret, .timesAreKept, .responsesAreItsOwn, .contentIsWhole, .wellServedCallsSucceed,
    .tokensAreRenewedOnce, .requestsAreFew, .nothingIsLeft, .memoryIsBounded,
  ]
}

/// A promise that a run has broken.
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
