import BenchmarkReport
import Foundation

/// Somebody who takes part: a name, and how it is set up in a process of its own.
struct Contender: Sendable {
  let name: ContenderName
  /// Makes the client that sends to the server of this URL.
  let open: @Sendable (URL) throws -> any Client

  init(
    _ identifier: String, _ title: String, _ family: ContenderName.Family,
    open: @escaping @Sendable (URL) throws -> any Client
  ) {
    name = ContenderName(identifier, title: title, family: family)
    self.open = open
  }
}
