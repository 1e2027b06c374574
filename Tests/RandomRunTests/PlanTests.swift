import Foundation
import Testing

struct PlanTests {
  @Test func sameSeedMakesSamePlan() {
    for seed in 1...50 as ClosedRange<UInt64> { #expect("\(Plan(seed: seed))" == "\(Plan(seed: seed))") }
    #expect("\(Plan(seed: 1))" != "\(Plan(seed: 2))")
  }

  @Test func callsUseOnlyClientsOfThePlan() {
    for seed in 1...300 as ClosedRange<UInt64> {
      let plan = Plan(seed: seed)
      #expect(Set(plan.calls.map(\.number)).count == plan.calls.count)
      for call in plan.calls {
        #expect(plan.clients.indices.contains(call.client))
        #expect(!call.script.isEmpty)
        let client = plan.clients[call.client]
        // A token must be sent only to its owner's server.
        #expect(!call.needsToken || client.origin == plan.owners[client.owner].home)
      }
    }
  }

  @Test func scriptIsFoundAfterRedirects() {
    let inner = Behaviour.redirect(307, origin: 1, then: [.close], body: .none)
    var call = CallPlan(number: 1, client: 0)
    call.script = [.reset, .redirect(302, origin: 2, then: [inner], body: .none)]
    #expect(call.script(at: "0").count == 2)
    #expect(call.script(at: "0.1").count == 1)
    #expect(call.script(at: "0.1.0").count == 1)
    #expect(call.script(at: "0.0").isEmpty)
    #expect(call.script(at: "0.7").isEmpty)
  }

  @Test func secretIsFoundInTextsAndInBase64() {
    let secret = Secret(home: 2, identity: 9012, number: 4)
    #expect(Secret.all(in: "a=\(secret.text)&b") == [secret])
    #expect(Secret.all(in: Data("{\"p\":\"\(secret.text)\"}".utf8)) == [secret])
    let encoded = Data("us:\(secret.text)".utf8).base64EncodedString()
    #expect(Secret.all(in: "Basic \(encoded)") == [secret])
    #expect(Secret.all(in: "nothing").isEmpty)
  }
}
