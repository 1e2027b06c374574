/// A promise, and a pure function that finds its violations in a record.
struct Check: Sendable {
  /// The promise in one line.
  let promise: String
  let violations: @Sendable (Plan, Record) -> [String]

  /// All promises.
  static let all: [Check] = [
    .eachCallEndsOnce, .bodiesAreSentOnce, .secretsStayAtHome, .textsHaveNoSecret, .timesAreKept, .responsesAreItsOwn,
    .contentIsWhole, .wellServedCallsSucceed, .nothingIsLeft, .memoryIsBounded,
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
