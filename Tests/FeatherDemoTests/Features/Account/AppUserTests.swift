import Foundation
import Testing
import WebServices

@testable import FeatherDemo

@Suite struct AppUserTests {
  @Test func everyIdentityChangeReachesTheServer() {
    let user = AppUser()
    let back = Back(user: user, base: URL(string: "http://localhost"))
    let ann = AppUser.Identity.authorized(.init(username: "ann", token: "secret"))
    user.set(identity: ann)
    #expect(user.identity == ann)
    #expect(back.config.headers == ["Authorization": "Bearer secret"])
    user.set(identity: .unauthorized)
    #expect(user.identity == .unauthorized)
    #expect(back.config.headers.isEmpty)
  }

  @Test func descriptionsHideTokenAndPassword() {
    let info = AppUser.Identity.Info(username: "ann", token: "secret-token")
    let credentials = AppUser.Credentials(username: "ann", password: "secret-password")
    var dumped = ""
    dump(AppUser.Identity.authorized(info), to: &dumped)
    dump(credentials, to: &dumped)
    let texts = ["\(AppUser.Identity.authorized(info))", "\(info)", "\(credentials)", "\([credentials])", dumped]
    #expect(texts.allSatisfy { $0.contains("ann") && !$0.contains("secret") })
  }
}

@Suite struct AccountBookTests {
  @Test func tokenBelongsToItsUserUntilSignOut() {
    var book = AccountBook()
    let (ann, bob) = (book.signIn("ann"), book.signIn("bob"))
    #expect(book.username(for: ann) == "ann")
    #expect(book.username(for: bob) == "bob")
    book.signOut(ann)
    #expect(book.username(for: ann) == nil)
    #expect(book.username(for: bob) == "bob")
    #expect(book.username(for: nil) == nil)
  }
}
