import Dispatch

/// What every request of one service shares.
final class Engine: Sendable {
  let session: any URLSessionProtocol
  let tokenManager: any WebServiceTokenManageable
  let reachability: any ReachabilityCheckable
  let configuration: WebServiceConfiguration
  /// The configuration's base URL, taken apart once for all requests.
  let base: RequestURL.Base?
  let exchanges: Exchanges
  let monitors: Monitors
  let registry = RunRegistry()
  private let ownsSession: Bool

  init(
    session: (any URLSessionProtocol)?, tokenManager: any WebServiceTokenManageable,
    reachability: any ReachabilityCheckable, configuration: WebServiceConfiguration
  ) {
    ownsSession = session == nil
    let session = session ?? DefaultSession.make().session
    self.session = session
    base = RequestURL.base(configuration.baseURL)
    exchanges = Exchanges(
      session: session, reachability: reachability, configuration: configuration, hosts: HostReader(base: base))
    monitors = Monitors(configuration.monitors)
    self.tokenManager = tokenManager
    self.reachability = reachability
    self.configuration = configuration
  }

  deinit {
    guard ownsSession else { return }
    // The last reference may go with a completion, on a queue of the session's own, where Foundation's can't be ended.
    DispatchQueue.global(qos: .utility).async { [session] in session.invalidateAndCancel() }
  }

  /// Ends every request as cancelled and takes no more. A session that was injected belongs to who made it, and is
  /// invalidated only on demand.
  func shutDown(invalidatingInjectedSession: Bool) {
    for run in registry.close() {
      run.interrupt(.invalidated)
    }
    exchanges.background.cancelAll()
    if ownsSession || invalidatingInjectedSession { session.invalidateAndCancel() }
  }
}
