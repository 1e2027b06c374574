import Testing

@testable import FeatherDemo

@Suite struct TokenBookTests {
  @Test func aTokenExpires() {
    var book = TokenBook()
    let token = book.issue(now: 100).apiToken
    #expect(book.isValid(token, now: 699))
    #expect(!book.isValid(token, now: 700))
    let renewed = book.renew(token, now: 700)
    #expect(renewed == nil)
    #expect(!book.isValid(nil, now: 100))
  }

  @Test func aTokenIsRenewedOnce() throws {
    var book = TokenBook()
    let first = book.issue(now: 0).apiToken
    let renewed = book.renew(first, now: 1)
    let second = try #require(renewed).apiToken
    let again = book.renew(first, now: 1)
    #expect(first != second)
    #expect(again == nil)
    #expect(book.isValid(second, now: 600))
  }
}
