import BenchmarkReport
import Foundation

/// A client to measure: its name, and how to set it up in its own process.
struct Contender: Sendable {
  let name: ContenderName
  /// Makes the client for a server.
  let open: @Sendable (ServerAddress) throws -> any Client

  init(
    _ identifier: String, _ title: String, _ family: ContenderName.Family,
    scope: ContenderName.Scope = .all, open: @escaping @Sendable (ServerAddress) throws -> any Client
  ) {
    name = ContenderName(identifier, title: title, family: family, scope: scope)
    self.open = open
  }
}
