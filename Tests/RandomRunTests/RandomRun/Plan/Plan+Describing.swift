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
    return lines.joined(separator: "\n")
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

extension Behaviour: CustomStringConvertible {
  var description: String {
    switch self {
    case .lines(let count, let framing, let coding): "lines(\(count), \(framing), \(coding))"
    case .late(let milliseconds, let lines): "late(\(milliseconds) ms, \(lines))"
    case .drip(let lines, let milliseconds): "drip(\(lines), \(milliseconds) ms)"
    case .status(let status, let retryAfter): "\(status)\(retryAfter.map { " retry after \($0) s" } ?? "")"
    case .redirect(let status, let origin, let next, let body): "\(status) to origin \(origin) (body: \(body)) \(next)"
    case .reset: "reset"
    case .close: "close"
    case .silence: "silence"
    case .cut(let lines, let isReset): "cut(\(lines), \(isReset ? "reset" : "close"))"
    case .push(let push): "push(\(push))"
    case .swallowsNext: "swallowsNext"
    case .closesOnNext: "closesOnNext"
    case .closesSoon: "closesSoon"
    case .endlessTrailers: "endlessTrailers"
    case .endlessHead: "endlessHead"
    case .unaskedSwitch: "unaskedSwitch"
    case .manyFields(let count): "manyFields(\(count))"
    case .hardToRedact: "hardToRedact"
    case .zeros(let megabytes): "zeros(\(megabytes) MB)"
    case .events(let count, let retry, let hasBadID):
      "events(\(count)\(retry.map { ", retry \($0)" } ?? "")\(hasBadID ? ", bad id" : ""))"
    case .portal: "portal"
    }
  }
}

/// The members of a value, except those with a usual value.
private func words(of value: Any, besides usual: [String] = []) -> [String] {
  Mirror(reflecting: value).children.map { "\($0.label ?? ""): \($0.value)" }.filter { !usual.contains($0) }
}
