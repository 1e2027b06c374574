import Foundation

/// A named phase of an attempt, drawn as one bar of the timeline.
struct TimelinePhase: Equatable, Sendable {
  var name: String
  /// The start in seconds since the call of `sendRequest`.
  var start: TimeInterval
  /// The end in seconds since the call; at least `start`.
  var end: TimeInterval

  var duration: TimeInterval { max(0, end - start) }
}

/// One attempt of a request, with the waits before it.
struct TimelineAttempt: Equatable, Sendable {
  var number: Int
  /// The method and the URL.
  var target: String
  var phases: [TimelinePhase]
  /// The outcome, such as `200, 45 bytes`.
  var outcome: String
}
