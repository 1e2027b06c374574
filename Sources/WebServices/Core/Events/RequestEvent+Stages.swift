extension RequestEvent {
  /// The kinds of events that a monitor wants.
  public struct Stages: OptionSet, Hashable, Sendable {
    /// A bit for each kind.
    public let rawValue: UInt32

    /// Creates a set of bits.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Events of the kind ``Kind/described``.
    public static let described = Stages(rawValue: 1 << 0)
    /// Events of the kind ``Kind/waiting(_:)``.
    public static let waiting = Stages(rawValue: 1 << 1)
    /// Events of the kind ``Kind/authorized``.
    public static let authorized = Stages(rawValue: 1 << 2)
    /// Events of the kind ``Kind/sent``.
    public static let sent = Stages(rawValue: 1 << 3)
    /// Events of the kind ``Kind/redirected(to:)``.
    public static let redirected = Stages(rawValue: 1 << 4)
    /// Events of the kind ``Kind/retried(after:cause:)``.
    public static let retried = Stages(rawValue: 1 << 5)
    /// Events of the kind ``Kind/received(status:bytes:metrics:)``.
    public static let received = Stages(rawValue: 1 << 6)
    /// Events of the kind ``Kind/decoded``.
    public static let decoded = Stages(rawValue: 1 << 7)
    /// Events of the kind ``Kind/delivered(_:)``.
    public static let delivered = Stages(rawValue: 1 << 8)
    /// Events of the kind ``Kind/cached(_:)``.
    public static let cached = Stages(rawValue: 1 << 9)
    /// Events of the kind ``Kind/coalesced``.
    public static let coalesced = Stages(rawValue: 1 << 10)
    /// All stages, including those of later versions.
    public static let all = Stages(rawValue: .max)
  }
}

extension RequestEvent.Kind {
  /// The stage of this kind.
  public var stage: RequestEvent.Stages {
    switch self {
    case .described: .described
    case .waiting: .waiting
    case .authorized: .authorized
    case .sent: .sent
    case .redirected: .redirected
    case .retried: .retried
    case .received: .received
    case .decoded: .decoded
    case .delivered: .delivered
    case .cached: .cached
    case .coalesced: .coalesced
    }
  }
}
