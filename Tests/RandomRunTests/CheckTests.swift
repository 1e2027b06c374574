import Foundation
import Testing

/// Tests each check with a record that keeps the promise and with a record that breaks it.
struct CheckTests {
  private let secret = Secret(home: 0, identity: 5, number: 1)

  private func post(_ change: (inout CallPlan) -> Void = { _ in }) -> CallPlan {
    var call = CallPlan(number: 1, client: 0, method: "POST", body: .json)
    change(&call)
    return call
  }

  @Test func keptPromisesShowNoViolation() {
    var story = Story()
    story.add(.signedIn(owner: 0, identity: 5))
    story.start()
    story.receive(as: 5, secrets: [secret])
    story.end(as: 5) { $0.delivery.reception = "0.1" }
    story.add(.signedOut(owner: 0, identity: 5))
    #expect(Violation.all(in: story.record, of: story.plan).isEmpty)
  }

  @Test func callThatEndsTwiceIsFound() {
    var story = Story()
    story.start()
    story.end()
    #expect(story.violations(of: .eachCallEndsOnce).isEmpty)
    story.end()
    #expect(story.violations(of: .eachCallEndsOnce).count == 1)
  }

  @Test func callThatNeverEndsIsFound() {
    var story = Story()
    story.start()
    #expect(story.violations(of: .eachCallEndsOnce).count == 1)
  }

  @Test func completionOnAnotherQueueIsFound() {
    var story = Story()
    story.start()
    story.end { $0.isInPlace = false }
    #expect(story.violations(of: .eachCallEndsOnce).count == 1)
  }

  @Test func bodyThatIsSentTwiceIsFound() {
    var story = Story(post())
    story.receive("POST", status: 303)
    story.receive("GET", "/c/1/0.0", status: 503)
    #expect(story.violations(of: .bodiesAreSentOnce).isEmpty)
    story.receive("POST", status: 303)
    #expect(story.violations(of: .bodiesAreSentOnce).count == 1)
  }

  @Test func bodyMayBeSentAgainAfterARefusedTokenOrWhereDeclared() {
    var refused = Story(post())
    refused.receive("POST", status: 401)
    refused.receive("POST", status: 200)
    #expect(refused.violations(of: .bodiesAreSentOnce).isEmpty)
    var declared = Story(post { $0.isDeclaredIdempotent = true })
    declared.receive("POST", status: 503)
    declared.receive("POST", status: 200)
    #expect(declared.violations(of: .bodiesAreSentOnce).isEmpty)
    var moved = Story(post())
    moved.receive("POST", status: 307)
    moved.receive("POST", "/c/1/0.0", at: 1, status: 200)
    #expect(moved.violations(of: .bodiesAreSentOnce).isEmpty)
  }

  @Test func callOfTwoIdentitiesIsFound() {
    var story = Story()
    story.receive(as: 5)
    story.receive(as: 5)
    #expect(story.violations(of: .identitiesStayApart).isEmpty)
    story.receive(as: 6)
    #expect(story.violations(of: .identitiesStayApart).count == 1)
  }

  @Test func responseForAnotherIdentityIsFound() {
    var story = Story()
    story.receive(as: 5)
    story.end(as: 6)
    #expect(story.violations(of: .identitiesStayApart).count == 1)
  }

  @Test func fileOfTwoIdentitiesIsFound() {
    var story = Story(CallPlan(number: 1, client: 0, form: .download))
    story.end { $0.delivery.identities = [5, 6] }
    #expect(story.violations(of: .identitiesStayApart).count == 1)
  }

  @Test func entryOfAnotherHostIsFound() {
    var story = Story(CallPlan(number: 1, client: 0, target: .shared(0), host: "virtual-a"))
    story.end(of: "r0") { $0.delivery.hosts = ["virtual-a"] }
    #expect(story.violations(of: .identitiesStayApart).isEmpty)
    var mixed = Story(CallPlan(number: 1, client: 0, target: .shared(0), host: "virtual-a"))
    mixed.end(of: "r0") { $0.delivery.hosts = ["virtual-b"] }
    #expect(mixed.violations(of: .identitiesStayApart).count == 1)
  }

  @Test func responseForAnotherVisitorIsFound() {
    for (hasVisitor, other) in [(true, -1), (false, 9001)] {
      let call = CallPlan(number: 1, client: 0, target: .shared(0), hasVisitor: hasVisitor)
      var story = Story(call)
      story.end(of: "r0", as: hasVisitor ? 9001 : -1)
      #expect(story.violations(of: .identitiesStayApart).isEmpty)
      story.end(of: "r0", as: other)
      #expect(!story.violations(of: .identitiesStayApart).isEmpty)
    }
  }

  @Test func successAfterTheSignOutIsFound() {
    var story = Story()
    story.start()
    story.add(.signedOut(owner: 0, identity: 5))
    story.add(.signedIn(owner: 0, identity: 6))
    story.end(as: 6)
    #expect(story.violations(of: .nothingOutlivesTheSignOut).isEmpty)
    story.end(as: 5)
    #expect(story.violations(of: .nothingOutlivesTheSignOut).count == 1)
  }

  @Test func elementAfterTheSignOutIsFound() {
    var story = Story(CallPlan(number: 1, client: 0, form: .streamed))
    var delivery = Delivery()
    delivery.identities = [5]
    story.add(.element(call: 1, delivery))
    story.add(.signedOut(owner: 0, identity: 5))
    #expect(story.violations(of: .nothingOutlivesTheSignOut).isEmpty)
    story.add(.element(call: 1, delivery))
    #expect(story.violations(of: .nothingOutlivesTheSignOut).count == 1)
  }

  @Test func successOfASwappedServiceIsFound() {
    var story = Story()
    story.start()
    story.add(.swapped(client: 0, generation: 0))
    story.end()
    #expect(story.violations(of: .nothingOutlivesTheSignOut).count == 1)
  }

  @Test func requestLongAfterTheSignOutIsFound() {
    var story = Story()
    story.add(.signedOut(owner: 0, identity: 5), at: 1)
    story.receive(as: 5, time: 1.2)
    #expect(story.violations(of: .nothingOutlivesTheSignOut).isEmpty)
    story.receive(as: 5, time: 4)
    #expect(story.violations(of: .nothingOutlivesTheSignOut).count == 1)
  }

  @Test func secretAtAnotherOriginIsFound() {
    var story = Story()
    story.receive(at: 0, secrets: [secret])
    #expect(story.violations(of: .secretsStayAtHome).isEmpty)
    story.receive(at: 1, secrets: [secret])
    #expect(story.violations(of: .secretsStayAtHome).count == 1)
  }

  @Test func secretInATextIsFound() {
    let recorder = Recorder()
    recorder.check("error", "the token <redacted> was refused")
    #expect(Check.textsHaveNoSecret.violations(Story().plan, Record(entries: recorder.entries)).isEmpty)
    recorder.check("error", "the token \(secret.text) was refused")
    #expect(Check.textsHaveNoSecret.violations(Story().plan, Record(entries: recorder.entries)).count == 1)
  }

  @Test func callThatTakesTooLongIsFound() {
    var story = Story(CallPlan(number: 1, client: 0, timeout: 1, deadline: 2))
    story.start(at: 1)
    story.end("timedOut", at: 3.5)
    #expect(story.violations(of: .timesAreKept).isEmpty)
    story.end("timedOut", at: 9)
    #expect(story.violations(of: .timesAreKept).count == 1)
  }

  @Test func timeoutAfterTheResponseIsFound() {
    var story = Story(CallPlan(number: 1, client: 0, timeout: 1))
    story.start(at: 1)
    story.receive(time: 1.5) { $0.duration = 0.5 }
    story.end("timedOut", at: 2)
    #expect(story.violations(of: .timesAreKept).isEmpty)
    story.end("timedOut", at: 2.9)
    #expect(story.violations(of: .timesAreKept).count == 1)
    story.receive(status: 503, time: 2.9)
    story.end("timedOut", at: 2.9)
    #expect(story.violations(of: .timesAreKept).count == 1)
  }

  @Test func callThatTimesOutTooEarlyIsFound() {
    var story = Story(CallPlan(number: 1, client: 0, timeout: 1))
    story.start(at: 1)
    story.end("timedOut", at: 1.3)
    #expect(story.violations(of: .timesAreKept).count == 1)
  }

  @Test func slowErrorDescriptionIsFound() {
    var story = Story()
    story.add(.worded(call: 1, seconds: 1))
    #expect(story.violations(of: .timesAreKept).isEmpty)
    story.add(.worded(call: 1, seconds: 20))
    #expect(story.violations(of: .timesAreKept).count == 1)
  }

  @Test func webPageTakenForEventsIsFound() {
    var story = Story(CallPlan(number: 1, client: 0, form: .events, script: [.portal, .status(204, retryAfter: nil)]))
    story.receive()
    #expect(story.violations(of: .contentIsWhole).isEmpty)
    story.end()
    #expect(story.violations(of: .contentIsWhole).count == 1)
  }

  @Test func unsolicitedResponseIsFound() {
    var story = Story()
    story.start()
    story.add(.pushed("0.1"))
    story.end { $0.delivery.pushed = "0.1" }
    #expect(story.violations(of: .responsesAreItsOwn).isEmpty)
    story.start()
    story.end { $0.delivery.pushed = "0.1" }
    #expect(story.violations(of: .responsesAreItsOwn).count == 1)
  }

  @Test func responseOfAnotherRequestIsFound() {
    var story = Story()
    story.receive()
    story.receive("GET", "/c/2/0")
    story.end { $0.delivery.reception = "0.1" }
    #expect(story.violations(of: .responsesAreItsOwn).isEmpty)
    story.end { $0.delivery.reception = "0.2" }
    story.end { $0.delivery.reception = "0.3" }
    story.end(of: "c2")
    #expect(story.violations(of: .responsesAreItsOwn).count == 3)
  }

  @Test func incompleteContentIsFound() {
    var story = Story()
    story.end()
    #expect(story.violations(of: .contentIsWhole).isEmpty)
    story.end { $0.delivery.isWhole = false }
    #expect(story.violations(of: .contentIsWhole).count == 1)
    let lines = Line.content(target: "c1", identity: 5, host: "h", count: 3)
    #expect(Delivery(Data(lines.joined(separator: "\n").utf8)).isWhole == true)
    #expect(Delivery(Data(lines[...1].joined(separator: "\n").utf8)).isWhole == false)
    #expect(Delivery(Data("no line".utf8)).isWhole == false)
  }

  @Test func failureWithoutAFaultIsFound() {
    var story = Story()
    story.end("sessionFailure")
    #expect(story.violations(of: .wellServedCallsSucceed).count == 1)
    story.add(.cancelled(call: 1))
    #expect(story.violations(of: .wellServedCallsSucceed).count == 1)
    var cancelled = Story()
    cancelled.add(.cancelled(call: 1))
    cancelled.end("cancelled")
    #expect(cancelled.violations(of: .wellServedCallsSucceed).isEmpty)
    var signedOut = Story()
    signedOut.start()
    signedOut.add(.changing(owner: 0))
    signedOut.end("cancelled")
    signedOut.add(.changed(owner: 0))
    #expect(signedOut.violations(of: .wellServedCallsSucceed).isEmpty)
    signedOut.start()
    signedOut.end("cancelled")
    #expect(signedOut.violations(of: .wellServedCallsSucceed).count == 1)
    var refused = Story(CallPlan(number: 1, client: 0, script: [.closesOnNext]))
    refused.plan.clients[0].policies.hasBreaker = true
    refused.end("circuitOpen")
    #expect(refused.violations(of: .wellServedCallsSucceed).count == 1)
    var badlyServed = Story(CallPlan(number: 1, client: 0, script: [.reset, .lines(1)]))
    badlyServed.end("sessionFailure")
    #expect(badlyServed.violations(of: .wellServedCallsSucceed).isEmpty)
  }

  @Test func tokenThatIsRenewedTwiceIsFound() {
    let refresh = Secret(home: 0, identity: 5, number: 2)
    var story = Story()
    story.receive("POST", "/renew", secrets: [secret, refresh], status: 503)
    story.receive("POST", "/renew", secrets: [secret, refresh], status: 200)
    #expect(story.violations(of: .tokensAreRenewedOnce).isEmpty)
    story.add(.swapped(client: 0, generation: 0), at: 1)
    story.receive("POST", "/renew", secrets: [secret, refresh], status: 200, time: 1.1)
    story.receive("POST", "/renew", secrets: [secret, refresh], status: 200, time: 2)
    #expect(story.violations(of: .tokensAreRenewedOnce).isEmpty)
    story.receive("POST", "/renew", secrets: [secret, refresh], status: 200, time: 3)
    #expect(story.violations(of: .tokensAreRenewedOnce).count == 1)
  }

  @Test func hotLoopIsFound() {
    var story = Story()
    for index in 0..<70 { story.receive(time: Double(index)) }
    #expect(story.violations(of: .requestsAreFew).isEmpty)
    for _ in 0..<2000 { story.receive(time: 70) }
    #expect(story.violations(of: .requestsAreFew).count == 1)
  }

  @Test func leftoversOfARunAreFound() {
    var story = Story()
    #expect(story.violations(of: .nothingIsLeft).isEmpty)
    story.add(.left("1 descriptor"))
    #expect(story.violations(of: .nothingIsLeft).count == 1)
  }

  @Test func growthOfMemoryIsFound() {
    var story = Story()
    story.record.growth = 50 << 20
    #expect(story.violations(of: .memoryIsBounded).isEmpty)
    story.record.growth = 800 << 20
    #expect(story.violations(of: .memoryIsBounded).count == 1)
  }
}
