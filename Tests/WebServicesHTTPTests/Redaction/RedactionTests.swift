@testable import WebServicesTestSupport
@testable import WebServicesHTTP

@Suite struct RedactionTests {
  private let redaction = Redaction(headerNames: ["X-Own"], fieldNames: ["SSN"])

  @Test func secretHeadersAreHiddenWithoutCase() {
    let text = redaction.headers([
      "AUTHORIZATION": "Bearer abc", "Cookie": "abc", "x-own": "abc", "api-token": "abc", "Accept": "text/plain",
    ])
    #expect(!text.contains("abc"))
    #expect(text.contains("Accept: text/plain"))
  }

  @Test(arguments: [
    ("https://h/p?token=abc&q=1", "https://h/p?token=<redacted>&q=1"),
    ("https://h/p?ACCESS_TOKEN=abc", "https://h/p?ACCESS_TOKEN=<redacted>"),
    ("https://h/p?acc%65ss_token=abc", "https://h/p?acc%65ss_token=<redacted>"),
    ("https://user:abc@h/p", "https://<redacted>@h/p"), ("https://abc@h", "https://<redacted>@h"),
    ("p?ssn=abc", "p?ssn=<redacted>"), ("https://h/p?token", "https://h/p?token"),
    ("https://h/abc@b", "https://h/abc@b"), ("https://h/p?token=&q=1", "https://h/p?token=&q=1"),
    ("https://h/p?name=pin&q=1", "https://h/p?name=pin&q=1"), ("https://[fe80::1:2]:80", "https://[fe80::1:2]:80"),
    ("//u:abc@x@h/p", "//<redacted>@h/p"), ("", ""),
    ("?password=abc=abc&x=", "?password=<redacted>&x="), ("https://u:a b\"<\\c@h/p", "https://<redacted>@h/p"),
    ("https://u:a/b?c#d@h/p", "https://u:<redacted>@h/p"), ("http://h:80/p?a@b", "http://h:80/p?a@b"),
    ("//u:a/b@c@h/p", "//u:<redacted>@h/p"),
    ("a@b//h:1234567/", "a@b//h:1234567/"),
  ])
  func secretQueryItemsAndUserInfoAreHidden(url: String, expected: String) {
    expectEqual(redaction.url(url), expected)
  }

  @Test(arguments: [
    #"{"name":"abc","passwordHint":"x","n":[1,2,{"a":null}]}"#, "plain text, with 1 = 2", "", "\"", "{\"",
    #""password""#, #"{"password"}"#, "a=b&c=d", "mail to someone@example.com", #"{"name":"pin","n":1}"#,
    "kind=pin, n=1", "äpin=1",
  ])
  func harmlessTextStaysUnchanged(text: String) { expectEqual(redaction.text(text), text) }

  @Test func membersAfterASecretAreSeen() {
    let text = redaction.text(#"{"token":[1,{"a":"]"}],"name":"Bath","pin":7,"z":[]}"#)
    expectEqual(text, #"{"token":"<redacted>","name":"Bath","pin":"<redacted>","z":[]}"#)
    let rows = [
      (#"{"a":"token=b=","c":"d"}"#, #"{"a":"token=<redacted>","c":"d"}"#),
      (#"{"a":"Cookie: b","c":"d"}"#, #"{"a":"Cookie: <redacted>","c":"d"}"#),
      (#""{\"a\":\"pin=12\"}""#, #""{\"a\":\"pin=<redacted>\"}""#),
      ("Cookie: a=\nAccept: x", "Cookie: <redacted>\nAccept: x"), ("pin=\nAccept: x", "pin=\nAccept: x"),
      ("user.ssn=1&b=c", "user.ssn=<redacted>&b=c"), (#"{"a":"{\"pin\":1}"}"#, #"{"a":"{\"pin\":<redacted>}"}"#),
      ("{pin={a=1, b=2}, c=3}", "{pin=<redacted>, c=3}"), ("pin=[1]&c=3", "pin=<redacted>&c=3"),
    ]
    for (text, expected) in rows { expectEqual(redaction.text(text), expected) }
  }

  @Test(arguments: [
    "db_pass_word", "DB-Pass-Word", "new_pass-phrase", "app_sec_ret", "password1", "new_password2", "userPwd", "pass",
    "passcode", "password_confirmation", "passwordConfirm",
  ])
  func formsOfASecretNameAreHidden(name: String) {
    #expect(redaction.hides(field: name))
    expectEqual(redaction.text("\(name)=abc"), "\(name)=<redacted>")
  }

  @Test(arguments: [["xabcdy", "abcd"], ["abcd", "xabcdy"]])
  func valueInTheBeginningOfAnotherIsFound(values: [String]) {
    let matcher = ValueMatcher(values.map { Array($0.utf8) })
    expectEqual(matcher.ranges(in: Array("1 xabcdz 2".utf8), shortest: 4), [3..<7])
    expectEqual(Set(matcher.ranges(in: Array("xabcdy".utf8), shortest: 4)), [1..<5, 0..<6])
  }

  /// The value ends in a beginning that ends in the beginning of an earlier value.
  @Test func valueInTheBeginningsOfTwoOthersIsFound() {
    let matcher = ValueMatcher(["xyabcdz", "yabcdw", "abcd"].map { Array($0.utf8) })
    expectEqual(matcher.ranges(in: Array("xyabcd.".utf8), shortest: 4), [2..<6])
  }

  /// A terminal obeys C0, DEL and C1, and a direction override shows a text in another order.
  @Test func controlCharactersAreEscaped() {
    let text = "a\u{1B}[2J\u{7}\u{7F}\u{9B}31m\u{85}\r\u{202E}b\u{2066}\u{2028}\u{0}\n\tc\r\nä日👩‍👧"
    let expected =
      #"a\u{1b}[2J\u{7}\u{7f}\u{9b}31m\u{85}\u{d}\u{202e}b\u{2066}\u{2028}\u{0}"# + "\n\tc\r\nä日👩‍👧"
    expectEqual(redaction.text(text), expected)
    expectEqual(redaction.url("/\u{9B}"), #"/\u{9b}"#)
    expectEqual(redaction.body(Data("\u{9B}\u{202E}".utf8)), #""\u{9b}\u{202e}""#)
    expectEqual(redaction.headers(["X\u{9B}": "\u{1B}"]), #"[X\u{9b}: \u{1b}]"#)
    // Content isn't printed, and stays as it is.
    expectEqual(redaction.content(Data(text.utf8)), Data(text.utf8))
  }

  /// A server may repeat the secret part of a header field. The other words of a field, and short ones, are no secrets.
  @Test(arguments: [
    ("X-Secret", "abcdefgh", "<abcdefgh>", "<<redacted>>"), ("Authorization", "Bearer abc", "<abc>", "<abc>"),
    ("cookie", "a=abcdefg; b=\"abcdefgh\"", "<abcdefg> <abcdefgh>", "<abcdefg> <<redacted>>"),
    ("authorization", "basic \(Data("me:abc:defg".utf8).base64EncodedString())", "<abc:defg>", "<<redacted>>"),
    ("Authorization", "Basic \(Data("abcdefgh".utf8).base64EncodedString())", "<abcdefgh>", "<<redacted>>"),
  ])
  func secretsOfFieldsAreHiddenInProse(name: String, value: String, text: String, expected: String) {
    let request = TransportRequest(url: testURL("https://h/p"), headers: [name: value])
    expectEqual(redaction.hiding(secretsOf: request).text(text), expected)
  }

  @Test func contentWithoutNamedFieldsIsNotSearched() {
    let types = [
      ("application/octet-stream", false), ("image/png", false), ("VIDEO/mp4; a=b", false), ("text/plain", true),
      ("application/json", true), ("multipart/form-data; boundary=b", true), (nil, true), ("odd", true),
    ]
    for (type, isSearched) in types {
      var request = TransportRequest(
        method: .put, url: testURL("https://h/p"), body: .data(Data("password=Zq7Xw9Kv".utf8)))
      request.headers["Content-Type"] = type
      let text = Redaction.standard.hiding(secretsOf: request).text("said Zq7Xw9Kv")
      expectEqual(text, isSearched ? "said <redacted>" : "said Zq7Xw9Kv")
    }
  }

  @Test func bodiesAreShownAsTextOrLength() {
    let rows = [
      (Data(#"{"a":1}"#.utf8), #""{"a":1}""#), (Data([0xFF, 0x00, 0x01]), "(3 bytes)"),
      (Data("ab\u{0}c".utf8), "(4 bytes)"), (Data("grü".utf8).dropLast(), "\"gr\""),
      (Data("😀".utf8).dropLast(), "\"\""), (Data([0x61, 0xF5]), "(2 bytes)"), (Data([0x80, 0x80, 0x80]), "(3 bytes)"),
    ]
    for (body, text) in rows { expectEqual(redaction.body(body), text) }
  }
}
