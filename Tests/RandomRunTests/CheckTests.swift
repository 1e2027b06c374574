import Foundation
import Testing

/// Tests each check with a record that keeps the promise and with a record that breaks it.
struct CheckTests {
  /// A record that keeps the promise, and the entries that break the promise.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var check: Check
    var call = CallPlan(number: 1, client: 0)
    var policies = Policies()
    var kept: [Record.Entry] = []
    var broken: [Record.Entry] = []
    /// The number of violations in the broken record; 0 if the row has no broken record.
    var count: Int

    init(
      _ name: String, _ check: Check, _ call: CallPlan = CallPlan(number: 1, client: 0),
      policies: Policies = Policies(), kept: [Record.Entry] = [], broken: [Record.Entry] = [], count: Int? = nil
    ) {
      (testDescription, self.check, self.call, self.policies) = (name, check, call, policies)
      (self.kept, self.broken, self.count) = (kept, broken, count ?? (broken.isEmpty ? 0 : 1))
    }
  }

  private static let secret = Secret(home: 0, identity: 5, number: 1)
  private static let signedOut = Sight.signedOut(owner: 0, identity: 5)
  private static let post = CallPlan(number: 1, client: 0, method: "POST", body: .json)
  private static let declared = CallPlan(
    number: 1, client: 0, method: "POST", body: .json, isDeclaredIdempotent: true)

  private static func shared(hasVisitor: Bool = false, host: String? = nil) -> CallPlan {
    CallPlan(number: 1, client: 0, target: .shared(0), hasVisitor: hasVisitor, host: host)
  }

  private static func renewal(_ status: Int = 200, time: Double = 0) -> Record.Entry {
    .receive(
      "POST", "/renew", secrets: [secret, Secret(home: 0, identity: 5, number: 2)], status: status, time: time)
  }

  private static let rows: [Row] = [
    Row("a call ends twice", .eachCallEndsOnce, kept: [.start(), .end()], broken: [.end()]),
    Row("a call never ends", .eachCallEndsOnce, broken: [.start()]),
    Row("a completion runs elsewhere", .eachCallEndsOnce, broken: [.start(), .end { $0.isInPlace = false }]),
    Row(
      "a body is sent twice", .bodiesAreSentOnce, post,
      kept: [.receive("POST", status: 303), .receive("GET", "/c/1/0.0", status: 503)],
      broken: [.receive("POST", status: 303)]),
    Row(
      "a body is sent again after a refused token", .bodiesAreSentOnce, post,
      kept: [.receive("POST", status: 401), .receive("POST")], broken: [.receive("POST")]),
    Row(
      "a body may be sent again where declared", .bodiesAreSentOnce, declared,
      kept: [.receive("POST", status: 503), .receive("POST")]),
    Row(
      "a body follows a redirect", .bodiesAreSentOnce, post,
      kept: [.receive("POST", status: 307), .receive("POST", "/c/1/0.0", at: 1)]),
    Row(
      "a call has two identities", .identitiesStayApart, kept: [.receive(as: 5), .receive(as: 5)],
      broken: [.receive(as: 6)]),
    Row("a response is another identity's", .identitiesStayApart, kept: [.receive(as: 5)], broken: [.end(as: 6)]),
    Row(
      "a file has two identities", .identitiesStayApart, CallPlan(number: 1, client: 0, form: .download),
      broken: [.end { $0.delivery.identities = [5, 6] }]),
    Row(
      "an entry is another host's", .identitiesStayApart, shared(host: "virtual-a"),
      kept: [.end(of: "r0") { $0.delivery.hosts = ["virtual-a"] }],
      broken: [.end(of: "r0") { $0.delivery.hosts = ["virtual-b"] }]),
    Row(
      "a response for nobody is a visitor's", .identitiesStayApart, shared(hasVisitor: true),
      kept: [.end(of: "r0", as: 9001)], broken: [.end(of: "r0")], count: 2),
    Row(
      "a visitor's response is nobody's", .identitiesStayApart, shared(), kept: [.end(of: "r0")],
      broken: [.end(of: "r0", as: 9001)], count: 2),
    Row(
      "a call succeeds after the sign-out", .nothingOutlivesTheSignOut,
      kept: [.start(), .saw(signedOut), .saw(.signedIn(owner: 0, identity: 6)), .end(as: 6)], broken: [.end(as: 5)]),
    Row(
      "an element comes after the sign-out", .nothingOutlivesTheSignOut,
      CallPlan(number: 1, client: 0, form: .streamed), kept: [.element(as: 5), .saw(signedOut)],
      broken: [.element(as: 5)]),
    Row(
      "a swapped service succeeds", .nothingOutlivesTheSignOut, kept: [.start()],
      broken: [.saw(.swapped(client: 0, generation: 0)), .end()]),
    Row(
      "a request comes long after the sign-out", .nothingOutlivesTheSignOut,
      kept: [.saw(signedOut, at: 1), .receive(as: 5, time: 1.2)], broken: [.receive(as: 5, time: 4)]),
    Row(
      "a secret comes to another origin", .secretsStayAtHome, kept: [.receive(secrets: [secret])],
      broken: [.receive(at: 1, secrets: [secret])]),
    Row(
      "a call takes too long", .timesAreKept, CallPlan(number: 1, client: 0, timeout: 1, deadline: 2),
      kept: [.start(at: 1), .end("timedOut", at: 3.5)], broken: [.end("timedOut", at: 9)]),
    Row(
      "a call times out after its response", .timesAreKept, CallPlan(number: 1, client: 0, timeout: 1),
      kept: [.start(at: 1), .receive(duration: 0.5, time: 1.5), .end("timedOut", at: 2)],
      // The call may go on after a 503.
      broken: [.end("timedOut", at: 2.9), .receive(status: 503, time: 2.9), .end("timedOut", at: 2.9)]),
    Row(
      "a call times out too early", .timesAreKept, CallPlan(number: 1, client: 0, timeout: 1), kept: [.start(at: 1)],
      broken: [.end("timedOut", at: 1.3)]),
    Row(
      "an error takes long to describe", .timesAreKept, kept: [.saw(.worded(call: 1, seconds: 1))],
      broken: [.saw(.worded(call: 1, seconds: 20))]),
    Row(
      "a web page is taken for events", .contentIsWhole,
      CallPlan(number: 1, client: 0, form: .events, script: [.portal, .status(204, retryAfter: nil)]),
      kept: [.receive()], broken: [.end()]),
    Row("content is incomplete", .contentIsWhole, kept: [.end()], broken: [.end { $0.delivery.isWhole = false }]),
    Row(
      "nobody asked for the response", .responsesAreItsOwn,
      kept: [.start(), .saw(.pushed("0.1")), .end { $0.delivery.pushed = "0.1" }],
      broken: [.start(), .end { $0.delivery.pushed = "0.1" }]),
    Row(
      "a response is another request's", .responsesAreItsOwn,
      kept: [.receive(), .receive("GET", "/c/2/0"), .end { $0.delivery.reception = "0.1" }],
      broken: [.end { $0.delivery.reception = "0.2" }, .end { $0.delivery.reception = "0.3" }, .end(of: "c2")],
      count: 3),
    Row(
      "a well served call fails", .wellServedCallsSucceed,
      broken: [.end("sessionFailure"), .saw(.cancelled(call: 1))]),
    Row(
      "a call is cancelled", .wellServedCallsSucceed, kept: [.saw(.cancelled(call: 1)), .end("cancelled")]),
    Row(
      "a call fails after a sign-out", .wellServedCallsSucceed,
      kept: [.start(), .saw(.changing(owner: 0)), .end("cancelled"), .saw(.changed(owner: 0))],
      broken: [.start(), .end("cancelled")]),
    Row(
      "a breaker opens without a failure", .wellServedCallsSucceed,
      CallPlan(number: 1, client: 0, script: [.closesOnNext]), policies: Policies(hasBreaker: true),
      broken: [.end("circuitOpen")]),
    Row(
      "a badly served call fails", .wellServedCallsSucceed,
      CallPlan(number: 1, client: 0, script: [.reset, .lines(1)]), kept: [.end("sessionFailure")]),
    Row(
      "a token is renewed twice", .tokensAreRenewedOnce,
      kept: [
        renewal(503), renewal(), .saw(.swapped(client: 0, generation: 0), at: 1), renewal(time: 1.1), renewal(time: 2),
      ],
      broken: [renewal(time: 3)]),
    Row(
      "a call sends requests without a pause", .requestsAreFew, kept: (0..<70).map { .receive(time: Double($0)) },
      broken: Array(repeating: .receive(time: 70), count: 2000)),
    Row("a descriptor is left", .nothingIsLeft, broken: [.saw(.left("1 descriptor"))]),
  ]

  @Test(arguments: rows)
  func brokenPromiseIsFound(_ row: Row) {
    var story = Story(row.call, policies: row.policies)
    story.add(row.kept)
    #expect(story.violations(of: row.check).isEmpty)
    story.add(row.broken)
    #expect(story.violations(of: row.check).count == row.count)
  }

  @Test func keptPromisesShowNoViolation() {
    var story = Story()
    story.add([
      .saw(.signedIn(owner: 0, identity: 5)), .start(), .receive(as: 5, secrets: [Self.secret]),
      .end(as: 5) { $0.delivery.reception = "0.1" }, .saw(Self.signedOut),
    ])
    #expect(Violation.all(in: story.record, of: story.plan).isEmpty)
  }

  @Test func secretInATextIsFound() {
    let recorder = Recorder()
    recorder.check("error", "the token <redacted> was refused")
    #expect(recorder.entries.isEmpty)
    recorder.check("error", "the token \(Self.secret.text) was refused")
    #expect(Check.textsHaveNoSecret.violations(Story().plan, Record(entries: recorder.entries)).count == 1)
  }

  @Test func incompleteContentIsFound() {
    let lines = Line.content(target: "c1", identity: 5, host: "h", count: 3)
    #expect(Delivery(Data(lines.joined(separator: "\n").utf8)).isWhole == true)
    #expect(Delivery(Data(lines[...1].joined(separator: "\n").utf8)).isWhole == false)
    #expect(Delivery(Data("no line".utf8)).isWhole == false)
  }

  @Test func growthOfMemoryIsFound() {
    var story = Story()
    story.record.growth = 50 << 20
    #expect(story.violations(of: .memoryIsBounded).isEmpty)
    story.record.growth = 800 << 20
    #expect(story.violations(of: .memoryIsBounded).count == 1)
  }
}
