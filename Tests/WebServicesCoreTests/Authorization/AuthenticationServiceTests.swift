@testable import WebServicesTestSupport

@Suite struct AuthenticationServiceTests {
  @Test func infoIsDecodedFromJSONAndReadBack() throws {
    let json = #"{"secondsRemaining": 1800, "apiToken": "0a1b", "user": {"id": 7}}"#
    var info = try JSONDecoder().decode(AuthenticationInfo.self, from: Data(json.utf8))
    expectEqual(info, AuthenticationInfo(apiToken: "0a1b", secondsRemaining: 1800))
    info.refreshToken = "r"
    expectEqual(try JSONDecoder().decode(AuthenticationInfo.self, from: JSONEncoder().encode(info)), info)
  }

  @Test func descriptionsShowNoSecret() {
    let values: [Any] = [
      RequestDataForAuthenticate(userId: "u", password: "s3cr3t"), RequestDataForRenewToken(apiToken: "s3cr3t"),
      AccessToken(value: "s3cr3t"), StoredToken(apiToken: "s3cr3t", expiresAt: Date(), refreshToken: "s3cr3t"),
      AuthenticationInfo(apiToken: "s3cr3t", secondsRemaining: 0, refreshToken: "s3cr3t"),
      WebServiceAuthorizationType.basic(user: "u", password: "s3cr3t"),
    ]
    for value in values { #expect(!printedTexts(of: value).contains("s3cr3t")) }
  }
}
