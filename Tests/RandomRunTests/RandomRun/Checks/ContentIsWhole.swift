extension Check {
  /// Promise 7: a truncated body never counts as a success.
  static let contentIsWhole = Check(promise: "a success has the whole content") { plan, record in
    plan.calls.flatMap { call in
      record.ends(of: call.number).compactMap { _, outcome in
        guard outcome.isSuccess, outcome.delivery.isWhole == false, outcome.delivery.pushed == nil else { return nil }
        return "call \(call.number) is a success with a part of the content, or with other content"
      } + strayed(call, record)
    }
  }

  /// An event stream must not succeed if it received a page of another kind.
  private static func strayed(_ call: CallPlan, _ record: Record) -> [String] {
    let isPortal = call.script.map { if case .portal = $0 { true } else { false } }
    guard call.form == .events, let place = isPortal.firstIndex(of: true),
      record.receptions.count(where: { $0.reception.call == call.number }) > place,
      record.ends(of: call.number).contains(where: \.outcome.isSuccess)
    else { return [] }
    return ["call \(call.number) took a page for events"]
  }
}
