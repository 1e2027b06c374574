import Testing

struct ShrinkingTests {
  @Test func shrinkingKeepsOnlyTheNeededElements() async {
    let shrinking = Shrinking<Int>(attempts: 500) { $0.contains(7) && $0.contains(31) }
    #expect(await shrinking.shortest(of: Array(0..<40)) == [7, 31])
  }

  @Test func shrinkingKeepsASingleNeededElement() async {
    let shrinking = Shrinking<Int>(attempts: 500) { $0.contains(3) }
    #expect(await shrinking.shortest(of: Array(0..<17)) == [3])
  }

  @Test func shrinkingKeepsAListOfWhichAllIsNeeded() async {
    let shrinking = Shrinking<Int>(attempts: 500) { $0.count == 9 }
    #expect(await shrinking.shortest(of: Array(0..<9)) == Array(0..<9))
  }

  @Test func shrinkingRunsAtMostTheGivenAttempts() async {
    let looks = Guarded(0)
    let shrinking = Shrinking<Int>(attempts: 5) { elements in
      looks.withLock { $0 += 1 }
      return elements.contains(90)
    }
    #expect(await shrinking.shortest(of: Array(0..<100)).contains(90))
    #expect(looks.withLock { $0 } == 5)
  }

  @Test func shrinkingKeepsTheOrderOfSteps() async {
    let shrinking = Shrinking<Int>(attempts: 500) { elements in
      guard let first = elements.firstIndex(of: 8), let last = elements.firstIndex(of: 2) else { return false }
      return first < last
    }
    #expect(await shrinking.shortest(of: Array((0..<12).reversed())) == [8, 2])
  }
}
