import Testing

struct ShrinkingTests {
  @Test(arguments: [(40, [7, 31]), (17, [3]), (9, Array(0..<9))])
  func shrinkingKeepsOnlyTheNeededElementsInOrder(count: Int, needed: [Int]) async {
    let shortest = await Array(0..<count).shortened(attempts: 500) { Set(needed).isSubset(of: $0) }
    #expect(shortest == needed)
  }

  @Test func shrinkingRunsAtMostTheGivenAttempts() async {
    var looks = 0
    let shortest = await Array(0..<100).shortened(attempts: 5) { elements in
      looks += 1
      return elements.contains(90)
    }
    #expect(shortest.contains(90) && looks == 5)
  }
}
