/// Says which waiting request is sent first. Requests wait for a permit where the layer `.limits(_:)` limits them.
///
/// A request that has waited long enough passes requests of a higher priority that came later.
public enum RequestPriority: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// Work that nobody waits for: prefetching, reports.
  case low
  /// Everything else.
  case normal
  /// Work that a user looks at the screen for.
  case high

  /// Whether the first one goes later than the second one.
  public static func < (left: RequestPriority, right: RequestPriority) -> Bool { left.rawValue < right.rawValue }
}

private enum PriorityKey: LibraryOptionKey {
  static var defaultValue: RequestPriority? { nil }
}

extension RequestOptions {
  /// The priority of the request while it waits for a permit; `nil` means the configuration's priority.
  public var priority: RequestPriority? {
    get { self[PriorityKey.self] }
    set { self[PriorityKey.self] = newValue }
  }
}
