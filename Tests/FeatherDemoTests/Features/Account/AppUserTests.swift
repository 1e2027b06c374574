@testable import WebServicesTestSupport

@testable import FeatherDemo

@Suite struct AppUserTests {
  @Test func everyIdentityChangeReachesTheServer() {
    let user = AppUser()
    let back = Back(user: user, base: URL(string: "http://localhost"))
    let ann = AppUser.Identity.authorized(.init(username: "ann", token: "secret"))
    user.set(identity: ann)
    expectEqual(user.identity, ann)
    expectEqual(back.config.headers, ["Authorization": "Bearer secret"])
    user.set(identity: .unauthorized)
    expectEqual(user.identity, .unauthorized)
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
