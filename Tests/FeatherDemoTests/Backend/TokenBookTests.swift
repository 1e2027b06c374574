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
}
