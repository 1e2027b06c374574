import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices

@Suite struct HostRegistryTests {
  @Test func valuesAreFoundByNameAndSlot() {
    var registry = HostRegistry<[Int]>()
    let one = registry.slot(of: "one", orInsert: [1])
    let two = registry.slot(of: "two", orInsert: [2])
    registry.update(one) { $0.append(11) }
    registry.update("two") { $0.append(22) }
    registry.update("one", orInsert: []) { $0.append(111) }
    registry.update("three", orInsert: [3]) { $0.append(33) }
    #expect(registry["one"] == [1, 11, 111])
    #expect(registry["two"] == [2, 22])
    #expect(registry["three"] == [3, 33])
    #expect(registry["four"] == nil)
    #expect(registry.update("four") { $0.count } == nil)
    #expect(registry.update(two) { $0.count } == 2)
    #expect(registry.count == 3)
    #expect(Set(registry.values) == [[1, 11, 111], [2, 22], [3, 33]])
  }

  @Test func slotOfForgottenHostFindsNothing() {
    var registry = HostRegistry<Int>()
    let old = registry.slot(of: "old", orInsert: 1)
    let other = registry.slot(of: "other", orInsert: 2)
    registry.removeAll { $0 == 1 }
    #expect(registry["old"] == nil)
    #expect(registry.update(old) { $0 } == nil)
    let new = registry.slot(of: "new", orInsert: 3)
    let again = registry.slot(of: "old", orInsert: 4)
    #expect(registry.update(old) { $0 } == nil)
    #expect([other, new, again].map { slot in registry.update(slot) { $0 } } == [2, 3, 4])
  }

  @Test func registryIsEmptyAfterForgettingAllHosts() {
    var registry = HostRegistry<Int>()
    let slots = (0..<100).map { registry.slot(of: "host \($0)", orInsert: $0) }
    registry.removeAll { _ in true }
    #expect(registry.count == 0)
    #expect(registry.values.isEmpty)
    #expect(slots.allSatisfy { slot in registry.update(slot) { $0 } == nil })
    #expect(registry.update("host 7", orInsert: 8) { $0 } == 8)
  }

  @Test func registryBehavesLikeADictionary() {
    let random = RandomSource.seeded(7)
    var registry = HostRegistry<Int>()
    var model: [String: Int] = [:]
    var slots: [String: HostRegistry<Int>.Slot] = [:]
    for step in 0..<5_000 {
      let host = "host \(Int(random.unit * 40))"
      switch Int(random.unit * 8) {
      case 0:
        let limit = Int(random.unit * 5_000)
        registry.removeAll { $0 < limit }
        model = model.filter { $0.value >= limit }
      case 1, 2, 3:
        slots[host] = registry.slot(of: host, orInsert: step)
        model[host] = model[host] ?? step
      case 4, 5:
        let isKept = registry.update(host) { $0 = step } != nil
        #expect(isKept == (model[host] != nil))
        if isKept { model[host] = step }
      default:
        guard let slot = slots[host], let value = registry.update(slot, { $0 }) else { continue }
        #expect(value == model[host])
      }
      #expect(registry[host] == model[host])
      #expect(registry.count == model.count)
    }
  }
}
