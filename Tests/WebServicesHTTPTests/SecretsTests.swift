@testable import WebServicesTestSupport
@testable import WebServicesHTTP
@testable import WebServicesObservability

/// Sends a marked secret through everything in the library that describes a request or a response.
@Suite struct SecretsTests {
  private static let mark = "Zq7Xw9Kv2Lm4Tn6"
  /// The number of a secret's characters that may appear at the end of a truncated text.
  private static let shown = 3

  private static let pieces = Set(windows(mark.utf8))

  private static func leaks(_ text: String) -> Bool { windows(text.utf8).contains(where: pieces.contains) }

  /// All groups of four adjacent bytes.
  private static func windows(_ bytes: String.UTF8View) -> [UInt32] {
    var window: UInt32 = 0
    let all = bytes.map { byte in
      window = window << 8 | UInt32(byte)
      return window
    }
    return Array(all.dropFirst(shown))
  }

  @Test(arguments: [
    #"{"password":"MARK","a":1}"#, #"{"user":{"newPassword" : "MARK"}}"#, #"{"client-secret":["MARK",{"x":"MARK"}]}"#,
    #"{"error":"bad body: {\"password\":\"MARK\",\"x\":1}"}"#,
    #"{"error":"{\"inner\":\"{\\\"token\\\":\\\"MARK\\\"}\"}"}"#,
    #"{"error":"{\"token\":{\"value\":\"MARK\"},\"n\":1}"}"#, #"{"p\u0061ssword":"MARK"}"#,
    #"{"url":"https://h/p?token=MARK&x=1"}"#, #"{"url":"https:\/\/user:MARK@h\/p"}"#, #"{"q":"a=1&api_key=MARK"}"#,
    #"5" pipe: {"password":"MARK"}"#, #"{'password': 'MARK'}"#, #"{password: "MARK"}"#, #""password"=>"MARK""#,
    "password=MARK&x=1", "user[password]=MARK", "user%5Bpassword%5D=MARK&b=2", "p%61ssword=MARK", "password = MARK",
    "x=1&redirect=https%3A%2F%2Fh%2Fp%3Ftoken%3DMARK%26y%3D1", "u=https%3A%2F%2Fme%3AMARK%40h%2F",
    "u=https%253A%252F%252Fh%253Ftoken%253DMARK", "see https://h/cb#access_token=MARK&state=1",
    "see //me:MARK@h/p", "https://me:MA'RKMARK@h/", "Authorization: Bearer MARK\nAccept: x", "api-token: MARK",
    "authorization: Basic MARK==", "{authorization=Bearer MARK, accept=x}", "{Accept=x, Cookie=[a=b; s=MARK]}",
    #"{"headers":"Proxy-Authorization=Digest a, r=MARK","b":1}"#,
    #"Authorization: Digest username="me", uri="/p", response="MARK MARK""#,
    #"{Authorization=Digest uri="/p?a=1&b=2", response="MARK", accept=x}"#, #"Cookie: a="b c"; sid=MARK"#,
    #"{"error":"no Authorization: Digest username=\"a \\\"b\", response=\"MARK\"","b":1}"#,
    #"{"headers":{"Api-Token":"MARK","cookie":"a=MARK; b=MARK"}}"#, "Set-Cookie: sid=MARK; Path=/",
    "<user><password>MARK</password></user>", "<a:Password>MARK</a:Password>", #"<user password="MARK" id='1'/>"#,
    "<a><password type='x' b=\"c\">MARK</password><d>1</d></a>", "<a><token><![CDATA[MARK]]></token></a>",
    "<credentials><user>MARK</user><b>MARK</b></credentials>", "<a:token x='MARK'/>", "<token value='MARK' />",
    "<pin>1<pin>2</pin>MARK</pin>", #"{"x":"<token a=\"b\">MARK<\/token>"}"#, "<PIN >MARK</PIN >",
    "password:\n  MARK\n", #"{"odd":"\\","password":"MARK"}"#,
    #"{"pin":"12","session_id":"MARK"}"#, #"{"password":"a\"MARK"}"#, #"{"pin":123MARK}"#, #"{"password":"}MARK"}"#,
    "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nMARK\r\n--b--",
    "--b\r\nContent-Disposition: form-data; name=token\r\nContent-Type: text/plain\r\n\r\nMARK\nMARK\r\n--b\r\n",
    "--b\r\nContent-Disposition: form-data; NAME=\"x-amz-security-token\"\r\n\r\nMARK\r\n--b--",
    #"{"p\u0061ssword":"a\"MARK"}"#, "user%5Bpassword%5D=1%26MARK&b=2", "p%61ssword=1%20%22MARK", "9%token=1%20MARK",
    "next=https://h&token=1@MARK&b=2", "see https://me:a&b=c@h/p and https://me:MARK&MARK@h",
    #"user["password"]=MARK"#, "{token={value=MARK, other=MARK}, n=1}", #"{"pin"=>["MARK", {"a"=>"MARK"}], "n"=>1}"#,
  ])
  func namedSecretsAreHiddenInAnyCut(template: String) {
    let text = template.replacingOccurrences(of: "MARK", with: Self.mark)
      .replacingOccurrences(of: "MA'RK", with: "x'")
    for count in 0...text.utf8.count {
      let piece = Data(text.utf8.prefix(count))
      let shown = Redaction.standard.body(piece)
      #expect(!Self.leaks(shown), "cut at \(count): \(shown)")
      #expect(!Self.leaks(String(decoding: Redaction.standard.content(piece), as: UTF8.self)))
    }
    #expect(Redaction.standard.text(text).contains("redacted"))
  }

  @Test(arguments: [
    "https://h/cb#access_token=MARK&x=1", "https://h/#/path?token=MARK", "https://h/p?user[password]=MARK",
    "https://h/p?user%5Bpassword%5D=MARK", "https://h/p?token=MARK?MARK", "https://h/p?next=https://h?token=MARK",
    "https://h/p?next=https%3A%2F%2Fh%3Ftoken%3DMARK", "https://h/p?q=%7B%22token%22%3A%22MARK%26MARK%22%7D",
    "https://h/p;token=MARK", "https://h/p?X-Amz-Signature=MARK",
    "https://h/p?pass+word=1&client_secret=MARK", "https://h?a=//me:MARK@h", "https://h/p?new_password=MARK;MARK",
    "https://h/p?user%5Btoken%5D=1%26MARK", "https://h/p?next=//h&token=1@MARK", "https://me:MARK&a=MARK@h/p",
  ])
  func secretsInURLsAreHidden(template: String) {
    let url = template.replacingOccurrences(of: "MARK", with: Self.mark)
    for count in 0...url.utf8.count {
      let piece = String(decoding: url.utf8.prefix(count), as: UTF8.self)
      #expect(!Self.leaks(Redaction.standard.url(piece)), "cut at \(count)")
      #expect(!Self.leaks(RequestEvent.RedactedURL(piece).description))
    }
  }

  /// Requests with a secret in every possible place.
  private func requests(secret: String) throws -> [TransportRequest] {
    let encoded = secret.percentEncoded(.everythingReserved)
    let json = try JSONSerialization.data(withJSONObject: ["user": ["password": secret], "n": 1] as [String: Any])
    let url = testURL("https://h/p")
    let form = TransportBody.data(Data("a=1&password=\(encoded)".utf8))
    let pair = Data("me:\(secret)".utf8).base64EncodedString()
    return [
      TransportRequest(method: .post, url: url, body: .data(json)),
      TransportRequest(method: .post, url: url, body: form),
      TransportRequest(url: testURL("https://h/p?q=1&token=\(encoded)")),
      TransportRequest(url: url, headers: ["Authorization": "Bearer \(secret)"]),
      TransportRequest(url: url, headers: ["Authorization": "Basic \(pair)"]),
      TransportRequest(url: url, headers: ["Cookie": "theme=dark; sid=\(secret)"]),
      TransportRequest(url: url, headers: ["api-token": secret]),
      TransportRequest(url: testURL("https://me:\(encoded)@h/p")),
      TransportRequest(url: testURL("https://h/p;token=\(encoded)?q=1")),
      TransportRequest(
        url: testURL("https://h/p?next=\("https://h?token=\(encoded)".percentEncoded(.everythingReserved))")),
    ]
  }

  @Test(arguments: [mark, "\(mark)/ä😀\"\\&<+ \(mark)"])
  func repeatedSecretsAreHiddenInEveryForm(secret: String) throws {
    let encoder = JSONEncoder()
    let json = String(decoding: try encoder.encode([secret]), as: UTF8.self).dropFirst(2).dropLast(2)
    let ascii = json.utf16.map { $0 < 128 ? "\(UnicodeScalar(UInt8($0)))" : String(format: "\\u%04x", $0) }.joined()
    let encoded = secret.percentEncoded(.everythingReserved)
    let forms = [
      secret, encoded, secret.utf8.map { String(format: "%%%02x", $0) }.joined(),
      encoded.replacingOccurrences(of: "%20", with: "+"), String(json),
      json.replacingOccurrences(of: "\\/", with: "/"), ascii,
      secret.unicodeScalars.map { "&\"<".unicodeScalars.contains($0) ? "&#\($0.value);" : "\($0)" }.joined(),
      secret.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
        .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: "ä", with: "&#xE4;"),
    ]
    for (number, request) in try requests(secret: secret).enumerated() {
      let redaction = Redaction.standard.hiding(secretsOf: request)
      for form in forms {
        let text = "you sent '\(form)', twice: \(form)"
        // The search for a value doesn't depend on its place in the request.
        for count in (number == 0 ? 0 : text.utf8.count)...text.utf8.count {
          let shown = redaction.body(Data(text.utf8.prefix(count)))
          #expect(!Self.leaks(shown), "cut at \(count): \(shown)")
        }
        #expect(!Self.leaks(redaction.url("https://h/\(form)/p")))
        #expect(!Self.leaks(redaction.headers(["X-Echo": form])))
      }
    }
  }

  @Test(arguments: [mark, "\(mark)/\"\\&<+ \(mark)"])
  func noDescriptionHoldsASecret(secret: String) throws {
    for request in try requests(secret: secret) {
      let url = RequestEvent.RedactedURL(request.url.absoluteString)
      var error = WebServiceError(
        .statusCode(400), phase: .judge, method: request.method, url: request.url.absoluteString, attemptCount: 1,
        message: "said \(secret)",
        response: WebServiceResponse(
          statusCode: 400, headers: ["X-Echo": secret], url: request.url, body: Data("no \(secret)".utf8)))
      error.redaction = Redaction.standard.hiding(secretsOf: request)
      let kinds: [RequestEvent.Kind] = [
        .described, .redirected(to: url), .delivered(.failure(error)), .received(status: 1, bytes: 2, metrics: nil),
      ]
      let entries = kinds.map { kind in
        RequestEvent(requestID: 1, time: 2, start: 1, method: request.method, url: url, kind: kind)
      }
      let values: [any Sendable] = [CurlCommand(request), url] + entries + kinds + entries.map { RequestLog.Entry($0) }
      for text in values.map(printedTexts) { #expect(!Self.leaks(text), "\(text)") }
    }
  }

  @Test func overlappingSecretsAreHiddenAsTheLongest() {
    let redaction = Redaction.standard.hiding(and: ["abcd", "abcdefgh", "xabcdefghy", "efghijkl"])
    expectEqual(redaction.text("1 abcdefgh 2 abcd 3 xabcdefghy 4"), "1 <redacted> 2 <redacted> 3 <redacted> 4")
    expectEqual(redaction.text("1 abcdefghijkl 2"), "1 <redacted> 2")
  }

  @Test(arguments: [
    ("<a><pin>7</pin><b>c</b></a>", "<a><pin<redacted>"), ("<p:pin b='c'>7</p:pin> d", "<p:pin<redacted>"),
    ("a <pinned or b", "a <pinned or b"), ("<pin/>", "<pin<redacted>"), ("<a b='c'>pin</a>", "<a b='c'>pin</a>"),
    ("; name=\"a\"\r\n\r\n1\r\n; name=\"pin\"\r\n\r\n2", "; name=\"a\"\r\n\r\n1\r\n; name=\"pin<redacted>"),
    ("filename=\"pin\"\r\n2", "filename=\"pin\"\r\n2"),
  ])
  func textBehindASecretNameInMarkupIsHidden(text: String, expected: String) {
    expectEqual(Redaction.standard.text(text), expected)
  }

  /// Each text would take many minutes if the time grew with the square of its length.
  @Test(
    .timeLimit(.minutes(4)),
    arguments: [
      #"\""#, "%41,", "%2541,", "%25", #"\\"#, "name=\"password\" ", "name=", "name=pin;", "token:", "token=", "a:\"",
      "[", "{\"", "//", "<a>", "<pin", "\\u0061", "a=%", "]", "a]:", "aaaaaaaaa", "'", #""a b":"#, ":", "//a:1",
    ])
  func longTextsAreSearchedOnce(piece: String) {
    let text = String(repeating: piece, count: 16 * 1024 / piece.utf8.count)
    // Values that begin alike must not be compared one by one.
    let redaction = Redaction.standard.hiding(and: (0..<5).map { String(repeating: piece, count: 50) + "\($0)" })
    #expect(!redaction.text(text).isEmpty)
    #expect(!redaction.url("?\(text)").isEmpty)
  }

  /// A server may send such a URL in `Location`.
  @Test(.timeLimit(.minutes(3))) func manyAuthoritiesOfAURLAreSearchedOnce() {
    let url = String(repeating: "//a:1234567", count: 20_000)
    #expect(Redaction.standard.url(url).hasSuffix("//a:<redacted>"))
  }

  @Test func nothingIsShownOnceTheValuesAreTooLong() {
    let value = String(repeating: "v", count: SecretValues.limit / 2)
    expectEqual(Redaction.standard.hiding(and: [value, "abcd"]).text("1 abcd"), "1 <redacted>")
    let tooMuch = Redaction.standard.hiding(and: [value, "\(value)w", "abcd"])
    expectEqual(tooMuch.text("1 abcd"), Redaction.placeholder)
    expectEqual(tooMuch.url("https://h/abcd"), Redaction.placeholder)
    expectEqual(tooMuch.headers(["A": "abcd"]), "[A: <redacted>]")
    expectEqual(tooMuch.body(Data("1".utf8)), "\"<redacted>\"")
  }

  @Test(arguments: [
    #"{"a":1,"password":"MARK"}"#, #"{"p\u0061ssword":"MARK"}"#, #"{"SSN":["x",{"y":"MARK"}]}"#, #"{"pin":["MARK"]}"#,
    #"{"password":null,"password":"MARK"}"#, #"{"a":"{\"password\":\"MARK\"}"}"#, "{\"a\":1}\n{\"token\":\"MARK\"}",
    "a=1&password=MARK\r\n", "a: 1\r\ntoken: MARK\r\nb: 2", "p%61ssword=MARK", "user%5Bpassword%5D=MARK&b=2",
    "payload=%7B%22token%22%3A%22MARK%22%7D", "<a><pin>7</pin><b:password x='1'>MARK</b:password></a>",
    "--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\n7\r\n--b\r\n"
      + "Content-Disposition: form-data; name=\"password\"\r\n\r\nMARK\r\n--b--",
  ])
  func secretsOfABodyAreHiddenWhereTheyAreRepeated(template: String) throws {
    for (written, secret) in [(Self.mark, Self.mark), ("81481481", "81481481"), ("Zq7\u{E4}X>w", "Zq7\u{E4}X>w")] {
      let body = Data(template.replacingOccurrences(of: "MARK", with: written).utf8)
      let request = TransportRequest(method: .post, url: testURL("https://h/p"), body: .data(body))
      let redaction = Redaction(fieldNames: ["ssn"]).hiding(secretsOf: request)
      expectEqual(redaction.text("it was \(secret), true"), "it was <redacted>, true")
    }
    for field in [#"Cookie: sid="MARK"; a=b"#, #"Authorization: Token token="MARK", nonce="1""#] {
      let parts = field.replacingOccurrences(of: "MARK", with: Self.mark).components(separatedBy: ": ")
      let request = TransportRequest(url: testURL("https://h/p"), headers: [parts[0]: parts[1]])
      expectEqual(Redaction.standard.hiding(secretsOf: request).text("it was \(Self.mark)"), "it was <redacted>")
    }
    let names = #"{"credentials":{"user":"Zq7Xw9Kv","label":true,"n":[12345]}}"#
    let request = TransportRequest(url: testURL("https://h/p"), body: .data(Data(names.utf8)))
    let redaction = Redaction.standard.hiding(secretsOf: request)
    expectEqual(redaction.text("user label true Zq7Xw9Kv 12345"), "user label true <redacted> <redacted>")
    // No sign of a secret is an escape: `%F0` would make no text, and nothing is cut off behind `&c9`.
    for (pin, echo) in [
      (#"a\/b%F0c"#, "a/b%F0c"), (#"a\"b&c9"#, #"a"b&c9"#), (#"a\"b%4"#, #"a"b%4"#), (#"a\\bc\"d"#, #"a\bc&quot;d"#),
    ] {
      let body = TransportBody.data(Data("{\"pin\":\"\(pin)\"}".utf8))
      let request = TransportRequest(method: .post, url: testURL("https://h/p"), body: body)
      expectEqual(Redaction.standard.hiding(secretsOf: request).text("it was \(echo) !"), "it was <redacted> !")
    }
  }

  @Test(arguments: 0..<200)
  func randomBytesAreRedactedSafely(seed: UInt64) {
    var generator = Chance(seed: seed)
    let alphabet = Array(#"password":=\'{}[]<>%5B&u0061 token//@.-;\n"#.utf8) + [0xFF, 0x00, 0xC3]
    let bytes = (0..<300).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
    _ = Redaction.standard.content(Data(bytes))
    _ = Redaction.standard.url(String(decoding: bytes, as: UTF8.self))
    let harmless = String(bytes.map { Array("abc 123,\n")[Int($0) % 9] })
    expectEqual(Redaction.standard.text(harmless), harmless)
  }
}
