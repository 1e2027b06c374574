/// A transport under test.
enum TransportKind: String, CaseIterable, Sendable {
  #if os(Linux)
    /// The library's own transport over libcurl.
    case curl
  #endif
  /// The library's own transport over Foundation's `URLSession`.
  case foundation
  /// A caller's plain `URLSession`.
  case injected

  /// Whether Foundation's transports are tested. An environment variable turns them on, because Foundation on Linux can
  /// hang or crash the process of all other tests.
  static let isFoundationTested =
    ProcessInfo.processInfo.environment["WEBSERVICES_TESTS_WITH_FOUNDATION"] != nil

  static let allCases: [TransportKind] = {
    #if os(Linux)
      isFoundationTested ? [.curl, .foundation, .injected] : [.curl]
    #else
      [.foundation, .injected]
    #endif
  }()

  /// The library's own transports.
  static let own = allCases.filter { $0 != .injected }

  /// The library's own transports that tell a broken response from other failures, so that a download goes on. On Linux
  /// Foundation doesn't (fact 20).
  static let tellingBreaks = own.filter { !$0.isFoundationOnLinux }

  /// Whether this transport has Foundation's behavior on Linux. Each test that asks names the behavior.
  var isFoundationOnLinux: Bool {
    #if os(Linux)
      self != .curl
    #else
      false
    #endif
  }

  /// Whether an invalidated session closes its connections. On Linux, a `URLSession` keeps them open.
  var closesConnections: Bool { !(isFoundationOnLinux && self == .injected) }

  var isFoundation: Bool { self == .foundation || self == .injected }

  func makeSession() throws -> any URLSessionProtocol {
    switch self {
    #if os(Linux)
      case .curl:
        return try CurlSession(configuration: .forTest)
    #endif
    case .foundation: return FoundationSession()
    case .injected: return URLSession(configuration: .webServices)
    }
  }
}
