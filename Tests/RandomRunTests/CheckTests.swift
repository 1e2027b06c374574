import Foundation
import Testing

/// Tests each check with entries that keep the promise, and with entries that break it.
struct CheckTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var check: Check
    var call: CallPlan
    var kept: [Record.Entry]
    var broken: [Record.Entry]
    /// The number of violations in the broken record.
    var count: Int

    init(
      _ name: String, _ check: Check, _ call: CallPlan = CallPlan(number: 1), kept: [Record.Entry] = [],
      broken: [Record.Entry], count: Int = 1
    ) {
      (testDescription, self.check, self.call, self.kept, self.broken) = (name, check, call, kept, broken)
      self.count = count
    }
  }

  private static let secret = Secret(home: 0, number: 1)
  private static let post = CallPlan(number: 1, method: "POST", body: .json)
  private static let timed = CallPlan(number: 1, timeout: 1)

  private static let rows: [Row] = [
    Row("a call ends twice", .eachCallEndsOnce, kept: [start(), end()], broken: [end()]),
    Row("a call never ends", .eachCallEndsOnce, broken: [start()]),
    Row("a completion runs elsewhere", .eachCallEndsOnce, broken: [start(), end { $0.isInPlace = false }]),
    Row(
      "a body is sent twice", .bodiesAreSentOnce, post,
      kept: [receive("POST", status: 307), receive("POST", "/c/1/0.0", at: 1), receive("GET", status: 503)],
      broken: [receive("POST", status: 303)]),
    Row(
      "a body is sent again after a refused token", .bodiesAreSentOnce, post,
      kept: [receive("POST", status: 401), receive("POST")], broken: [receive("POST")]),
    Row(
      "a secret comes to another origin", .secretsStayAtHome, kept: [receive(secrets: [secret])],
      broken: [receive(at: 1, secrets: [secret])]),
    Row(
      "a call takes too long", .timesAreKept, CallPlan(number: 1, timeout: 1, deadline: 2),
      kept: [start(at: 1), end("timedOut", at: 3.5)], broken: [end("timedOut", at: 9)]),
    Row(
      "a call times out after its response", .timesAreKept, timed,
      kept: [start(at: 1), receive(duration: 0.5, time: 1.5), end("timedOut", at: 2)],
      // The call may go on after a 503.
      broken: [end("timedOut", at: 2.9), receive(status: 503, time: 2.9), end("timedOut", at: 2.9)]),
    Row("a call times out too early", .timesAreKept, timed, kept: [start(at: 1)], broken: [end("timedOut", at: 1.3)]),
    Row(
      "an error takes long to describe", .timesAreKept, kept: [saw(.worded(call: 1, seconds: 1))],
      broken: [saw(.worded(call: 1, seconds: 20))]),
    Row("content is incomplete", .contentIsWhole, kept: [end()], broken: [end { $0.delivery.isWhole = false }]),
    Row(
      "nobody asked for the response", .responsesAreItsOwn,
      kept: [start(), saw(.pushed("0.1")), end { $0.delivery.pushed = "0.1" }],
      broken: [start(), end { $0.delivery.pushed = "0.1" }]),
    Row(
      "a response is another request's", .responsesAreItsOwn,
      kept: [receive(), receive("GET", "/c/2/0"), end { $0.delivery.reception = "0.1" }],
      broken: [end { $0.delivery.reception = "0.2" }, end { $0.delivery.reception = "0.3" }, end(of: "c2")], count: 3),
    Row("a well served call fails", .wellServedCallsSucceed, kept: [end()], broken: [end("sessionFailure")]),
    Row("a descriptor is left", .nothingIsLeft, broken: [saw(.left("1 descriptor"))]),
  ]

  @Test(arguments: rows)
  func brokenPromiseIsFound(_ row: Row) {
    let plan = Plan(seed: 0, clients: [ClientPlan()], steps: [.call(row.call)])
    func count(_ entries: [Record.Entry]) -> Int {
      var record = Record()
      for var entry in entries {
        if case .received(var reception) = entry.sight {
          reception.order = record.receptions.count { $0.origin == reception.origin } + 1
          entry.sight = .received(reception)
        }
        record.entries.append(entry)
      }
      return row.check.violations(plan, record).count
    }
    #expect(count(row.kept) == 0)
    #expect(count(row.kept + row.broken) == row.count)
  }

  @Test func goodAndCancelledCallsMayFail() {
    let check = Check.wellServedCallsSucceed
    for (script, cancel) in [([Behaviour.reset, .lines(1)], nil), ([.lines(1)], Sight.cancelled(call: 1))] {
      let plan = Plan(seed: 0, clients: [ClientPlan()], steps: [.call(CallPlan(number: 1, script: script))])
      let entries = [Self.end("sessionFailure")] + (cancel.map { [Self.saw($0)] } ?? [])
      #expect(check.violations(plan, Record(entries: entries)).isEmpty)
    }
  }

  @Test func secretInATextIsFound() {
    let recorder = Recorder()
    recorder.check("error", "the token <redacted> was refused")
    #expect(recorder.entries.isEmpty)
    recorder.check("error", "the token \(Self.secret.text) was refused")
    #expect(
      Check.textsHaveNoSecret.violations(Plan(seed: 0, clients: []), Record(entries: recorder.entries)).count == 1)
  }

  @Test func incompleteContentIsFound() {
    let lines = Line.content(target: "c1", count: 3)
    #expect(Delivery(Data(lines.joined(separator: "\n").utf8)).isWhole == true)
    #expect(Delivery(Data(lines[...1].joined(separator: "\n").utf8)).isWhole == false)
    #expect(Delivery(Data("no line".utf8)).isWhole == false)
  }

  @Test(arguments: [(50, 0), (800, 1)])
  func growthOfMemoryIsFound(megabytes: Int, count: Int) {
    #expect(
      Check.memoryIsBounded.violations(Plan(seed: 0, clients: []), Record(growth: megabytes << 20)).count == count)
  }

  // MARK: Entries

  private static func saw(_ sight: Sight, at time: Double = 0) -> Record.Entry { .init(time: time, sight: sight) }

  private static func start(at time: Double = 0) -> Record.Entry { saw(.started(call: 1), at: time) }

  private static func receive(
    _ method: String = "GET", _ path: String = "/c/1/0", at origin: Int = 0, secrets: Set<Secret> = [],
    status: Int? = 200, duration: Double? = nil, time: Double = 0
  ) -> Record.Entry {
    let reception = Reception(
      origin: origin, order: 0, call: path.hasPrefix("/c/1/") ? 1 : nil, method: method, path: path,
      secrets: secrets, status: status, duration: duration)
    return saw(.received(reception), at: time)
  }

  private static func end(
    _ failure: String? = nil, of target: String = "c1", at time: Double = 0,
    _ change: (inout Outcome) -> Void = { _ in }
  ) -> Record.Entry {
    var outcome = Outcome(failure: failure)
    if failure == nil { (outcome.delivery.targets, outcome.delivery.isWhole) = ([target], true) }
    change(&outcome)
    return saw(.ended(call: 1, outcome), at: time)
  }
}
