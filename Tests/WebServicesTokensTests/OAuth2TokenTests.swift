@testable import WebServicesTestSupport

@Suite struct OAuth2TokenTests {
  private func token(_ json: String) throws -> OAuth2.Token {
    try JSONDecoder().decode(OAuth2.Token.self, from: Data(json.utf8))
  }

  @Test func exampleOfRFC6749IsRead() throws {
    let full = try token(
      #"""
      {"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"example","expires_in":3600,
       "refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA","scope":"a b","example_parameter":"example_value"}
      """#)
    #expect(full.scope == "a b" && full.idToken == nil)
    #expect(
      full.info
        == AuthenticationInfo(
          apiToken: "2YotnFZFEjr1zCsicMWpAA", secondsRemaining: 3600, refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA"))
    let bare = try token(#"{"access_token": "a", "expires_in": null}"#)
    #expect(bare.accessToken == "a" && bare.expiresIn == nil && bare.refreshToken == nil)
    expectEqual(bare.info.secondsRemaining, 315_360_000)
  }

  @Test(arguments: [
    ("3600", 3600), (#""3600""#, 3600), ("3599.9", 3600), ("0.5", 1), ("1e30", 315_360_000),
    (#""1e300""#, 315_360_000), ("9223372036854775807", 315_360_000), ("0", nil), ("-1", nil), (#""soon""#, nil),
    (#""nan""#, nil), ("{}", nil),
  ])
  func lifetimesAreReadInAnyForm(text: String, seconds: Int?) throws {
    let token = try token(#"{"access_token": "a", "refresh_token": "r", "expires_in": \#(text)}"#)
    expectEqual(token.expiresIn, seconds)
    expectEqual(token.refreshToken, "r")
    expectEqual(token.info.secondsRemaining, seconds ?? 315_360_000)
  }

  /// To refuse the response would lose the refresh token that it brings.
  @Test func valuesOfOddTypesKeepTheTokens() throws {
    let token = try token(
      #"{"access_token": "a", "refresh_token": "r", "scope": ["read", "write"], "id_token": 7, "expires_in": {}}"#)
    #expect(token.accessToken == "a" && token.refreshToken == "r")
    #expect(token.scope == "read write" && token.idToken == nil && token.expiresIn == nil)
    for text in ["7", "null", "[]"] {
      let odd = try self.token(#"{"access_token": "a", "refresh_token": \#(text), "scope": \#(text)}"#)
      #expect(odd.refreshToken == nil && odd.scope == (text == "[]" ? "" : nil))
    }
  }

  @Test(arguments: ["{}", #"{"access_token": null}"#, "[]"])
  func invalidTokenIsRefused(json: String) {
    #expect(throws: DecodingError.self) { try token(json) }
  }
}
