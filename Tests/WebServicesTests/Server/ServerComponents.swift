@testable import WebServicesTestSupport

/// Makes configurations with mock sessions, a new session for each.
final class MockBackend: Sendable {
  let sessions = Collector<MockURLSession>()
  let clock = VirtualClock()
  private let script: @Sendable (MockURLSession) -> Void

  /// - Parameter script: sets up each session.
  init(_ script: @escaping @Sendable (MockURLSession) -> Void) { self.script = script }

  /// The latest session.
  var session: MockURLSession? { sessions.elements.last }

  func config(_ change: (inout Server.Config) -> Void = { _ in }) -> Server.Config {
    var config = Server.Config(base: URL(string: "https://backend.example.com/api"))
    install(in: &config)
    change(&config)
    return config
  }

  func install(in config: inout Server.Config) {
    config.reachability = FakeReachability()
    config.clock = clock
    config.session = { [script, sessions, clock] in
      let session = MockURLSession(clock: clock)
      script(session)
      sessions.append(session)
      return session
    }
  }
}

/// A server that records its configurations.
final class WatchedServer: Server, @unchecked Sendable {
  let bases = Collector<String?>()

  override func set(_ config: Config) {
    super.set(config)
    bases.append(config.base?.host)
  }
}
