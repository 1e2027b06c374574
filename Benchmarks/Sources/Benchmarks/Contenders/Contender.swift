/// A client to measure: its name, the work that it can do, and how to set it up in its own process.
struct Contender: Sendable {
  /// The workloads that a contender can run.
  enum Scope: Sendable {
    case all
    /// All but those over TLS, because the session trusts only the system's certificates.
    case cleartext
    /// The workloads that fetch JSON.
    case fetches
  }

  /// The name on the command line.
  let identifier: String
  /// The name in the report.
  let title: String
  let scope: Scope
  /// Makes the client for a server.
  let open: @Sendable (ServerAddress) throws -> any Client

  init(
    _ identifier: String, _ title: String, scope: Scope = .all,
    open: @escaping @Sendable (ServerAddress) throws -> any Client
  ) {
    (self.identifier, self.title, self.scope, self.open) = (identifier, title, scope, open)
  }

  func canRun(_ workload: Workload) -> Bool {
    switch scope {
    case .all: true
    case .cleartext: !workload.server.usesTLS
    case .fetches: workload.megabytes == nil
    }
  }
}
