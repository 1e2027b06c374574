import Testing

/// Tests the checks with entries that break a promise. The random run itself shows that no check is too strict.
struct CheckTests {
  private static let long = CallPlan(number: 1, timeout: 1, lineCount: 3, script: [.silence])
  private static let timed = CallPlan(number: 1, timeout: 1, script: [.silence])
  private static let part = Array(CallPlan(number: 1, lineCount: 3).content[...1])

  private static let rows: [(name: String, call: CallPlan, entries: [(Double, Sight)], count: Int)] = [
    ("a call ends once", timed, [start(), end(at: 0)], 0),
    ("a call ends twice", timed, [start(), end(at: 0), end(at: 0)], 1),
    ("a call never ends", timed, [start()], 1),
    ("a completion runs elsewhere", timed, [start(), end(at: 0) { $0.isInPlace = false }], 1),
    ("a response is another call's", timed, [start(), end(at: 0) { $0.call = 2 }], 1),
    ("content is another call's", timed, [start(), end(at: 0) { $0.lines = CallPlan(number: 2).content }], 1),
    ("content is incomplete", long, [start(), end(at: 0) { $0.lines = part }], 1),
    ("nobody asked for the response", timed, [(0, .pushed(call: 2)), start(), end(at: 0) { $0.pushed = 2 }], 1),
    ("a call times out too early", timed, [start(), end("timedOut", at: 0.3)], 1),
    ("a call takes too long", timed, [start(), end("timedOut", at: 9)], 1),
    ("a well served call fails", CallPlan(number: 1), [start(), end("sessionFailure", at: 0)], 1),
    ("a body is sent twice", timed, [receive(), receive("/c/1/1"), receive("/c/1/1")], 1),
    ("a file is left", timed, [(0, .broken("a file"))], 1),
  ]

  @Test func brokenPromiseIsFound() {
    for (name, call, entries, count) in Self.rows {
      let plan = Plan(seed: 0, clients: [ClientPlan()], steps: [.call(call)])
      let violations = plan.violations(in: Record(entries: entries))
      #expect(violations.count == count, "\(name): \(violations)")
    }
    let growth = Plan(seed: 0).violations(in: Record(growth: 800 << 20))
    #expect(growth.count == 1 && Plan(seed: 0).violations(in: Record(growth: 50 << 20)).isEmpty)
  }

  // MARK: Entries

  private static func start() -> (Double, Sight) { (0, .started(call: 1)) }

  private static func receive(_ path: String = "/c/1/0") -> (Double, Sight) {
    (0, .received(Reception(origin: 0, order: 0, method: "POST", path: path, isRefused: false)))
  }

  private static func end(
    _ failure: String? = nil, at time: Double, _ change: (inout Outcome) -> Void = { _ in }
  ) -> (Double, Sight) {
    var outcome = Outcome(failure: failure, call: 1)
    if failure == nil { outcome.lines = CallPlan(number: 1).content }
    change(&outcome)
    return (time, .ended(call: 1, outcome))
  }
}
