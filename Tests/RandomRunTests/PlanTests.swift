import Foundation
import Testing

struct PlanTests {
  @Test func sameSeedMakesSamePlan() {
    for seed in 1...50 as ClosedRange<UInt64> {
      #expect("\(Plan(seed: seed))" == "\(Plan(seed: seed))")
      #expect(Set(Plan(seed: seed).calls.map(\.number)).count == Plan(seed: seed).calls.count)
    }
    #expect("\(Plan(seed: 1))" != "\(Plan(seed: 2))")
  }

  @Test func scriptIsFoundAfterRedirects() {
    let inner = Behaviour.redirect(307, origin: 1, then: [.close], body: .none)
    var call = CallPlan(number: 1)
    call.script = [.reset, .redirect(302, origin: 2, then: [inner], body: .none)]
    for (place, count) in [("0", 2), ("0.1", 1), ("0.1.0", 1), ("0.0", 0), ("0.7", 0)] {
      #expect(call.script(at: place).count == count)
    }
  }

  @Test func secretIsFoundInTextsAndInBase64() {
    let secret = Secret(home: 2, number: 4)
    #expect(Secret.all(in: "a=\(secret.text)&b") == [secret])
    #expect(Secret.all(in: Data("{\"p\":\"\(secret.text)\"}".utf8)) == [secret])
    #expect(Secret.all(in: "Basic \(Data("us:\(secret.text)".utf8).base64EncodedString())") == [secret])
    #expect(Secret.all(in: "nothing").isEmpty)
  }

  @Test(arguments: [(40, [7, 31]), (17, [3]), (9, Array(0..<9))])
  func shrinkingKeepsOnlyTheNeededElementsInOrder(count: Int, needed: [Int]) async {
    let shortest = await Array(0..<count).shortened(attempts: 500) { Set(needed).isSubset(of: $0) }
    #expect(shortest == needed)
  }
}
