extension RequestOptions {
  /// Says which waiting request is sent first. Requests wait for a permit where the layer `.limits(_:)` limits them.
  ///
  /// A request may wait for as long as requests of a higher priority come.
  public enum Priority: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// Work that nobody waits for: prefetching, reports.
    case low
    /// Everything else.
    case normal
    /// Work that a user looks at the screen for.
    case high

    /// Whether the first one goes later than the second one.
    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
  }
}

private enum PriorityKey: LibraryOptionKey { static var defaultValue: RequestOptions.Priority? { nil } }

extension RequestOptions {
  /// The priority of the request while it waits for a permit; `nil` means the configuration's priority.
  public var priority: Priority? {
    get { self[PriorityKey.self] }
    set { self[PriorityKey.self] = newValue }
  }
}
