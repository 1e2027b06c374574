import WebServicesTestSupport

@Suite struct RedactionTests {
  private let redaction = Redaction(headerNames: ["X-Own"], fieldNames: ["ssn"])

  @Test func secretHeadersAreHiddenWithoutCase() {
    let text = redaction.headers([
      "AUTHORIZATION": "Bearer abc", "Cookie": "abc", "x-own": "abc", "api-token": "abc", "Accept": "text/plain",
    ])
    #expect(!text.contains("abc"))
    #expect(text.contains("Accept: text/plain"))
  }

  @Test(
    arguments: [
      ("https://h/p?token=abc&q=1", "https://h/p?token=<redacted>&q=1"),
      ("https://h/p?ACCESS_TOKEN=abc", "https://h/p?ACCESS_TOKEN=<redacted>"),
      ("https://h/p?acc%65ss_token=abc", "https://h/p?acc%65ss_token=<redacted>"),
      ("https://user:abc@h/p", "https://<redacted>@h/p"), ("https://abc@h", "https://<redacted>@h"),
      ("p?ssn=abc", "p?ssn=<redacted>"), ("https://h/p?token", "https://h/p?token"),
      ("https://h/a@b", "https://h/a@b"), ("//u:abc@x@h/p", "//<redacted>@h/p"), ("", ""),
      ("?password=abc=abc&x=", "?password=<redacted>&x="),
    ])
  func secretQueryItemsAndUserInfoAreHidden(url: String, expected: String) {
    expectEqual(redaction.url(url), expected)
  }

  @Test(
    arguments: [
      #"{"name":"abc","passwordHint":"x","n":[1,2,{"a":null}]}"#, "plain text, with 1 = 2", "", "\"", "{\"",
      #""password""#, #"{"password"}"#, "a=b&c=d", "mail to someone@example.com",
    ])
  func harmlessTextStaysUnchanged(text: String) {
    expectEqual(redaction.text(text), text)
  }

  @Test func membersAfterASecretAreSeen() {
    let text = redaction.text(#"{"token":[1,{"a":"]"}],"name":"Bath","pin":7,"z":[]}"#)
    expectEqual(text, #"{"token":"<redacted>","name":"Bath","pin":"<redacted>","z":[]}"#)
  }

  @Test func bodiesAreShownAsTextOrLength() {
    expectEqual(redaction.body(Data(#"{"a":1}"#.utf8)), #""{"a":1}""#)
    expectEqual(redaction.body(Data([0xFF, 0x00, 0x01])), "(3 bytes)")
    expectEqual(redaction.body(Data("ab\u{0}c".utf8)), "(4 bytes)")
    expectEqual(redaction.body(Data("grü".utf8).dropLast()), "\"gr\"")
  }
}
