import Foundation
import Testing
import WebServices

@Suite("Decoding of authentication data")
struct AuthenticationServiceTests {
  @Test("An authentication info is read from a service's JSON, whatever else is in it")
  func decodes() throws {
    let json = #"{"secondsRemaining": 1800, "apiToken": "0a1b", "user": {"id": 7}}"#
    let info = try JSONDecoder().decode(AuthenticationInfo.self, from: Data(json.utf8))
    #expect(info == AuthenticationInfo(apiToken: "0a1b", secondsRemaining: 1800))
  }

  @Test(
    "A JSON that lacks something, or has something else, is refused",
    arguments: [
      #"{"secondsRemaining": 1800}"#, #"{"apiToken": "0a1b"}"#, "{}", "[]", "null", "",
      #"{"secondsRemaining": "1800", "apiToken": "0a1b"}"#, #"{"secondsRemaining": 1.5, "apiToken": "0a1b"}"#,
      #"{"secondsRemaining": 1800, "apiToken": null}"#, #"{"secondsRemaining": 1800, "apiToken": "0a1b""#,
    ])
  func refuses(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(AuthenticationInfo.self, from: Data(json.utf8))
    }
  }

  @Test("It can be stored and read back")
  func roundTrip() throws {
    let info = AuthenticationInfo(apiToken: "0a1b", secondsRemaining: 1800)
    let data = try JSONEncoder().encode(info)
    #expect(try JSONDecoder().decode(AuthenticationInfo.self, from: data) == info)
  }

  @Test("No value that holds a credential shows it")
  func noSecrets() {
    let values: [Any] = [
      AuthenticationInfo(apiToken: "s3cr3t", secondsRemaining: 1),
      RequestDataForAuthenticate(userId: "u", password: "s3cr3t"),
      RequestDataForRenewToken(apiToken: "s3cr3t"), AccessToken(value: "s3cr3t"),
      StoredToken(apiToken: "s3cr3t", expiresAt: Date()),
      WebServiceAuthorizationType.basic(user: "u", password: "s3cr3t"),
    ]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains("s3cr3t"))
        #expect(!text.isEmpty)
      }
    }
  }
}
