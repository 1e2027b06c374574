@testable import WebServicesTestSupport
@testable import WebServicesHTTP

@Suite struct GenerationalArrayTests {
  @Test func emptiedArrayShrinks() {
    var table = GenerationalArray<Int>()
    let slots = (0..<5_000).map { table.insert($0) }
    #expect(slots.dropLast().allSatisfy { table.remove($0) != nil })
    expectEqual(table.count, 1)
    expectEqual(table.removeAll { _ in true }, [4_999])
    expectEqual(table.count, 0)
    let slot = table.insert(7)
    #expect(slots.allSatisfy { table[$0] == nil && table.remove($0) == nil })
    expectEqual(table.remove(slot), 7)
  }

  @Test func arrayBehavesLikeADictionary() {
    var generator = SeededGenerator(seed: 5)
    var table = GenerationalArray<Int>()
    var model: [Int: Int] = [:]
    var slots: [GenerationalArray<Int>.Slot] = []
    for step in 0..<20_000 {
      if slots.isEmpty || Bool.random(using: &generator) {
        slots.append(table.insert(step))
        model[slots.count - 1] = step
      } else {
        let index = Int.random(in: 0..<slots.count, using: &generator)
        expectEqual(table[slots[index]], model[index])
        expectEqual(table.remove(slots[index]), model.removeValue(forKey: index))
      }
      expectEqual(table.count, model.count)
    }
    expectEqual(table.values.sorted(), model.values.sorted())
  }
}
