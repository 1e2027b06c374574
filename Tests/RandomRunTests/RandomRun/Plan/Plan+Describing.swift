import Foundation

extension Plan: CustomStringConvertible {
  /// The whole plan, with a line for each owner, client, used resource and step.
  package var description: String {
    let used = Set(
      calls.compactMap { call -> Int? in
        guard case .shared(let resource) = call.target else { return nil }
        return resource
      })
    var lines = ["seed \(seed), \(originCount) origins"]
    lines += owners.enumerated().map { "owner \($0): \(words(of: $1, besides: []))" }
    lines += clients.enumerated().map { index, client in
      "client \(index) of owner \(client.owner) at origin \(client.origin):"
        + " \(words(of: client.policies, besides: words(of: Policies())))"
    }
    lines += resources.indices.filter(used.contains).map { "resource \($0): \(words(of: resources[$0], besides: []))" }
    lines += steps.map { "- \($0)" }
    // Swift names the module and the type of a case within a value.
    return lines.joined(separator: "\n")
      .replacingOccurrences(of: #"RandomRun\w*\.([A-Z]\w*\.)*"#, with: "", options: .regularExpression)
  }
}

extension Step: CustomStringConvertible {
  package var description: String {
    switch moment {
    case .now: "\(action)"
    default: "at \(moment): \(action)"
    }
  }
}

extension CallPlan: CustomStringConvertible {
  var description: String {
    "\(number) of client \(client), \(form) \(method)"
      + words(
        of: self,
        besides: words(of: CallPlan(number: number, client: client, form: form, method: method, script: script))
      )
      .reduce("") { "\($0), \($1)" } + ", \(script)"
  }
}

/// The members of a value, except those with a usual value.
private func words(of value: Any, besides usual: [String] = []) -> [String] {
  Mirror(reflecting: value).children.map { "\($0.label ?? ""): \($0.value)" }.filter { !usual.contains($0) }
}
