extension Check {
  /// What keeps all other promises by failing isn't worth having: a GET that every server serves well succeeds, unless
  /// something that the app or the machine did stands in its way.
  static let wellServedCallsSucceed = Check(promise: "well served calls succeed") { plan, record in
    var disturbed: Set<Int> = []
    var excusedOwners: Set<Int> = []
    var excusedClients: Set<Int> = []
    for entry in record.entries {
      switch entry.sight {
      case .cancelled(let call): disturbed.insert(call)
      case .signedOut(let owner, _): excusedOwners.insert(owner)
      case .swapped(let client, _), .networkSet(let client): excusedClients.insert(client)
      default: break
      }
    }
    return plan.calls.flatMap { call -> [String] in
      let client = plan.clients[call.client]
      guard call.method == "GET", call.body == .none, case .own = call.target, call.script.allSatisfy(\.isGood),
        call.form != .events, call.form != .pages, !disturbed.contains(call.number),
        !excusedOwners.contains(client.owner), !excusedClients.contains(call.client), !client.policies.hasBreaker,
        client.policies.followsRedirects
      else { return [] }
      return record.ends(of: call.number).compactMap { _, outcome in
        // A response that comes without being asked for can't always be told from the one that was.
        guard let failure = outcome.failure, !outcome.delivery.isPushed, failure != "timedOut", failure != "token"
        else { return nil }
        return "call \(call.number) was served well and failed as \(failure)"
      }
    }
  }
}
