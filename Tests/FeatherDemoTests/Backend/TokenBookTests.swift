@testable import WebServicesTestSupport

@testable import FeatherDemo

@Suite struct TokenBookTests {
  @Test func tokenBelongsToItsUserUntilItExpiresOrIsForgotten() {
    var book = TokenBook()
    let (ann, bob) = (book.issue(to: "ann", now: 100).apiToken, book.issue(to: "bob", now: 100).apiToken)
    expectEqual([ann, bob, ""].map { book.user(of: $0, now: 699) }, ["ann", "bob", nil])
    expectEqual(book.user(of: ann, now: 700), nil)
    expectEqual(book.renew(ann, now: 700), nil)
    expectEqual(book.renew(ann, now: 699).map { book.user(of: $0.apiToken, now: 700) }, "ann")
    expectEqual(book.user(of: ann, now: 699), nil)
    book.forget(bob)
    expectEqual(book.user(of: bob, now: 100), nil)
  }
}
