/// Names an HTTP client that the benchmarks measure (a contender).
package struct ContenderName: Hashable, Sendable {
  /// The library that the contender uses. The family sets the contender's color in the chart.
  package enum Family: String, Hashable, Sendable {
    case webServices, foundation, asyncHTTPClient, libcurl
  }

  /// The workloads that a contender can run.
  package enum Scope: Hashable, Sendable {
    case all
    /// All but those over TLS, because the session trusts only the system's certificates.
    case cleartext
    /// The workloads that fetch JSON.
    case fetches
  }

  /// The name on the command line.
  package let identifier: String
  /// The name in the report.
  package let title: String
  package let family: Family
  package let scope: Scope

  package init(_ identifier: String, title: String, family: Family, scope: Scope = .all) {
    self.identifier = identifier
    self.title = title
    self.family = family
    self.scope = scope
  }

  package func canRun(_ workload: Workload) -> Bool {
    switch scope {
    case .all: true
    case .cleartext: !workload.server.usesTLS
    case .fetches: workload.megabytes == nil
    }
  }
}
