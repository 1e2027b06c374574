import WebServicesTestSupport

@Suite struct HTTPMethodTests {
  @Test func methodsKnowSafeAndIdempotent() {
    #expect([HTTPMethod.get, .head, .options].allSatisfy { $0.isSafe && $0.isIdempotent })
    #expect([HTTPMethod.put, .delete].allSatisfy { !$0.isSafe && $0.isIdempotent })
    #expect([HTTPMethod.post, .patch].allSatisfy { !$0.isSafe && !$0.isIdempotent })
    #expect(!HTTPMethod(rawValue: "get").isSafe, "methods are case-sensitive")
  }
}
