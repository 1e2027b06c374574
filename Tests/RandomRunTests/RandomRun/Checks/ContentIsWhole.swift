extension Check {
  /// Promise 7: part of a content is no success.
  static let contentIsWhole = Check(promise: "a success has the whole content") { plan, record in
    plan.calls.flatMap { call in
      record.ends(of: call.number).compactMap { _, outcome in
        guard outcome.isSuccess, outcome.delivery.isWhole == false, !outcome.delivery.isPushed else { return nil }
        return "call \(call.number) is a success with a part of the content, or with other content"
      }
    }
  }
}
