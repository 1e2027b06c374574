import BenchmarkReport
import Foundation

/// A client to measure: its name, and how to set it up in its own process.
struct Contender: Sendable {
  let name: ContenderName
  /// Makes the client for the server at this URL.
  let open: @Sendable (URL) throws -> any Client

  init(
    _ identifier: String, _ title: String, _ family: ContenderName.Family,
    open: @escaping @Sendable (URL) throws -> any Client
  ) {
    name = ContenderName(identifier, title: title, family: family)
    self.open = open
  }
}
