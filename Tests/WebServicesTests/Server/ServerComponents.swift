import Foundation
import WebServices
import WebServicesTesting

/// Makes the configurations of a server over mock sessions, a new one for each configuration.
final class MockBackend: Sendable {
  let sessions = Collector<MockURLSession>()
  let clock = VirtualClock()
  private let script: @Sendable (MockURLSession) -> Void

  /// - Parameter script: sets each session up.
  init(_ script: @escaping @Sendable (MockURLSession) -> Void) {
    self.script = script
  }

  /// The session that was made last.
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

/// A server that tells of its configurations.
final class WatchedServer: Server, @unchecked Sendable {
  let bases = Collector<String?>()

  override func set(_ config: Config) {
    super.set(config)
    bases.append(config.base?.host)
  }
}
