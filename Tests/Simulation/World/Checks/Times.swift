extension Check {
  /// Promise 8: a deadline is kept to the virtual millisecond, and no timeout comes early.
  static let times = Check(promise: "timeouts and deadlines are kept") { plan, history in
    history.records(of: plan).compactMap { record in
      guard let start = record.start?.time, let end = record.end else { return nil }
      let call = record.plan
      let (time, deadline) = (end.time - start, call.deadline ?? plan.client.deadline)
      if plan.stallRate == 0, let deadline, time > deadline + 0.001 {
        return "call \(call.number) ended after \(time) s, and its deadline is \(deadline) s"
      }
      let shortest = min(call.timeout ?? plan.client.timeout, deadline ?? .infinity)
      if end.outcome.kind == .timedOut, time < shortest - 0.001 {
        return "call \(call.number) timed out after \(time) s, and has \(shortest) s"
      }
      return nil
    }
  }
}
