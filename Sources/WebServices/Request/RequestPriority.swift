/// Which of the requests that wait for their turn goes first.
///
/// It orders only those that wait, and not for ever: one that has waited long enough passes those of a higher priority
/// that came later.
public enum RequestPriority: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// What nobody waits for: prefetching, reports.
  case low
  /// Everything else.
  case normal
  /// What somebody looks at the screen for.
  case high

  /// Whether the first one goes later than the second one.
  public static func < (left: RequestPriority, right: RequestPriority) -> Bool { left.rawValue < right.rawValue }
}

private enum PriorityKey: RequestOptionKey {
  static var defaultValue: RequestPriority? { nil }
}

extension RequestOptions {
  /// The order among requests that wait for a permit; `nil` means the configuration's.
  public var priority: RequestPriority? {
    get { self[PriorityKey.self] }
    set { self[PriorityKey.self] = newValue }
  }
}
