import Testing

import WebServices
@testable import WebServicesHTTP

@Suite struct BoxedTests {
  @Test func changedCopyLeavesTheOriginal() {
    let original = Boxed([1, 2])
    var copy = original
    #expect(copy.isSame(as: original))
    copy.value.append(3)
    #expect(!copy.isSame(as: original))
    #expect(original.value == [1, 2])
    #expect(copy.value == [1, 2, 3])
    #expect(!Boxed([1, 2]).isSame(as: original))
  }
}
