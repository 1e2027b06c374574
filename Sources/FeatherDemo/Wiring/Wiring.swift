import Foundation
import WebServices
import WebServicesDoubles

/// The server and the session of a command. The compile condition `USE_FAKES` is read here and nowhere else, and
/// replaces the session with a fake.
struct Wiring: Sendable {
  var baseURL: URL
  /// The session of the service; `nil` for the library's own.
  var session: (any URLSessionProtocol)?
  var reachability: any ReachabilityCheckable = NetworkReachability.shared
  /// The server in this process; `nil` if the server runs elsewhere.
  var backend: DemoBackend?

  init(for arguments: Arguments) throws {
    #if USE_FAKES
      guard let url = URL(string: FakeSession.address) else { throw CommandFailure(["FeatherDemo: no fakes."]) }
      baseURL = url
      session = FakeSession.make(for: arguments)
      reachability = FakeReachability()
      Console.note("This build uses fakes: the responses are canned, and nothing is sent.")
    #else
      // A request to an absolute address doesn't need the demo's server.
      if case .address(let url)? = arguments.target {
        baseURL = url
      } else if let url = arguments.baseURL {
        baseURL = url
      } else {
        let backend = try DemoBackend.start(port: 0)
        (self.backend, baseURL) = (backend, backend.baseURL)
      }
    #endif
  }
}
