@testable import WebServicesTestSupport

@testable import FeatherDemo

@Suite struct AppUserTests {
  @Test func descriptionsHideTokenAndPassword() {
    let info = AppUser.Identity.Info(username: "ann", token: "secret-token")
    let credentials = AppUser.Credentials(username: "ann", password: "secret-password")
    let values: [Any] = [AppUser.Identity.authorized(info), info, credentials, [credentials]]
    #expect(values.map(printedTexts).allSatisfy { $0.contains("ann") && !$0.contains("secret") })
  }
}
