import Foundation
import WebServices
import WebServicesTesting

/// The session and the server that the commands use. `make` chooses them: the compile condition `USE_FAKES` is read
/// there and nowhere else, and replaces the session with a fake.
struct Wiring: Sendable {
  var baseURL: URL
  /// The session of the service; `nil` for the library's own.
  var session: (any URLSessionProtocol)?
  var reachability: any ReachabilityCheckable = NetworkReachability.shared
  /// The backend in this process; `nil` if the server runs elsewhere.
  var backend: DemoBackend?
  /// A notice to print before the command starts.
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
      throw CommandFailure(["FeatherDemo: the URL of the fakes is invalid."])
    }
    guard arguments.command != .outage else {
      throw CommandFailure([
        "FeatherDemo: \"\(arguments.command.invocation)\" needs a server that fails on command, and this build uses"
          + " fakes.",
        "Build it without USE_FAKES.",
      ])
    }
    var notice = "This build uses fakes: the responses are scripted, and nothing is sent."
    if arguments.baseURL != nil { notice += " --base-url has no effect." }
    return Wiring(
      baseURL: url, session: FakeSession.make(for: arguments), reachability: FakeReachability(), notice: notice)
  }

  private static func real(for arguments: Arguments) throws -> Wiring {
    // A request to an absolute address doesn't need the demo's backend.
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
