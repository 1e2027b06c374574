import Foundation
import WebServices
import WebServicesTesting

/// What the commands' requests go through. The compile condition `USE_FAKES` decides here, and only here, whether a
/// session sends them or a fake answers them.
struct Wiring: Sendable {
  var baseURL: URL
  /// `nil` stands for the library's own.
  var session: (any URLSessionProtocol)?
  var reachability: any ReachabilityCheckable = NetworkReachability.shared
  /// The backend in this process.
  var backend: DemoBackend?
  /// What the user has to know about it.
  var notice: String?

  static func make(for arguments: Arguments) throws -> Wiring {
    #if USE_FAKES
      return try fakes(for: arguments)
    #else
      return try real(for: arguments)
    #endif
  }

  private static func fakes(for arguments: Arguments) throws -> Wiring {
    guard let url = URL(string: "http://\(FakeSession.host)") else {
      throw CommandFailure(["FeatherDemo: the fakes have no address."])
    }
    guard arguments.command != .outage else {
      throw CommandFailure([
        "FeatherDemo: \"\(arguments.command.invocation)\" needs a server that fails on command, and this build runs"
          + " on fakes.",
        "Build it without USE_FAKES.",
      ])
    }
    var notice = "This build runs on fakes: the answers are canned, and nothing is sent."
    if arguments.baseURL != nil { notice += " --base-url has no effect." }
    return Wiring(
      baseURL: url, session: FakeSession.make(for: arguments), reachability: FakeReachability(), notice: notice)
  }

  private static func real(for arguments: Arguments) throws -> Wiring {
    // An address of its own needs no other server.
    if let url = arguments.target?.origin ?? arguments.baseURL { return Wiring(baseURL: url) }
    do {
      let backend = try DemoBackend()
      return Wiring(baseURL: backend.baseURL, backend: backend)
    } catch {
      throw CommandFailure([
        "FeatherDemo: the demo's own backend can't be started: \(error)",
        "Name another server with --base-url.",
      ])
    }
  }
}
