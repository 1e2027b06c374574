import Foundation

/// The plan of a random run: a pure value of its seed, which can be printed and shortened.
package struct Plan: Sendable {
  /// The number of servers. Each has its own origin.
  static let originCount = 3

  package var seed: UInt64
  var clients: [ClientPlan] = []
  var steps: [Step] = []

  var calls: [CallPlan] { steps.compactMap { if case .call(let call) = $0 { call } else { nil } } }
}

/// A service with a user whose token is for the service's origin.
struct ClientPlan: Sendable {
  var origin = 0
  var retries = 0
  var hasCache = false
  var deadline: Double?
  var timeout = 2.0
  var followsRedirects = true
  /// Whether the base URL has a name instead of a loopback address.
  var hasName = false
}

enum Step: Sendable {
  case call(CallPlan)
  case cancel(call: Int)
  /// Waits until a server has received a request of the call.
  case waitForServer(call: Int)
  case pause(milliseconds: Int)
  /// Waits until every started call has ended.
  case settle
}

extension Plan: CustomStringConvertible {
  package var description: String {
    (["seed \(seed)"] + clients.map { "\($0)" } + steps.map { "- \($0)" }).joined(separator: "\n")
      // Swift names the module and the type of a case within a value.
      .replacingOccurrences(of: #"RandomRun\w*\.([A-Z]\w*\.)*"#, with: "", options: .regularExpression)
  }
}
