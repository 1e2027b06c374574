import Foundation

/// A part of a request's time that has a name.
struct TimelinePhase: Equatable, Sendable {
  var name: String
  /// In seconds from the call.
  var start: TimeInterval
  /// In seconds from the call; not before the start.
  var end: TimeInterval

  var duration: TimeInterval { max(0, end - start) }
}

/// One exchange of a request with a server, and what came before it.
struct TimelineAttempt: Equatable, Sendable {
  var number: Int
  /// What was asked.
  var target: String
  var phases: [TimelinePhase]
  /// What came of it, such as `200, 45 bytes`.
  var outcome: String
}
