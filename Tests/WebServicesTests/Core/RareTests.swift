import Testing

@testable import WebServices

struct RareTests {
  private struct Holder {
    @Rare var value: [Int]?
  }

  @Test func copiesAreIndependent() {
    var first = Holder()
    #expect(first.value == nil)
    first.value = [1]
    var second = first
    second.value?.append(2)
    #expect(first.value == [1])
    #expect(second.value == [1, 2])
    second.value = nil
    #expect(second.value == nil)
  }

  @Test func takesTheRoomOfAPointer() {
    #expect(MemoryLayout<Rare<WebServiceResponse>>.size == MemoryLayout<Int>.size)
  }
}
