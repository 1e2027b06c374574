@testable import WebServicesCore
@testable import WebServicesTestSupport

@Suite struct AuthenticationChallengeTests {
  private typealias Challenge = AuthenticationChallenge

  private func challenges(_ values: String...) -> [AuthenticationChallenge] {
    HTTPHeaders(values.map { HTTPHeaders.Field(name: "www-authenticate", value: $0) }).challenges(
      in: "WWW-Authenticate")
  }

  @Test func challengesAreReadWithoutMalformedParts() {
    let plain = Challenge(scheme: "Basic", parameters: ["realm": "a", "nonce": "d"])
    let cases: [(value: String, expected: [AuthenticationChallenge])] = [
      (
        #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
        [
          Challenge(scheme: "Basic", parameters: ["realm": "simple"]),
          Challenge(scheme: "Newauth", parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
        ]
      ),
      (
        "  dIgEsT  REALM = \"a, b=c\" ,,\tnonce=x=y , Nonce=z,",
        [Challenge(scheme: "dIgEsT", parameters: ["realm": "a, b=c", "nonce": "x=y"])]
      ),
      (#"Digest realm="a, nonce=b"#, [Challenge(scheme: "Digest", parameters: ["realm": "a, nonce=b"])]),
      (#"Basic realm="a", (b)=c, nonce=d"#, [plain]), (#"Basic realm="a", =x, nonce=d"#, [plain]),
      (#"(x), Basic realm="a", nonce=d"#, [plain]), (#"Basic realm="a"x, nonce=d"#, [plain]),
    ]
    for (value, expected) in cases { expectEqual(challenges(value), expected) }
    // Texts without a scheme.
    let others = [
      "", " ", ",", ", ,\t,", "=", "=,=", "\"", "\"a\"", "a=b", "a=b, c=d", "(a)", "\u{E4}", "=\"", "\"Basic realm=x",
      String(repeating: "\"", count: 100_001),
    ]
    for value in others { #expect(challenges(value).isEmpty, "\(value.prefix(20))") }
  }

  @Test func digestIsFoundAmongOtherSchemesAndFields() {
    let found = challenges("Negotiate, NTLM TlRMTVNTUAAC==  , Basic realm=\"a\"", "Bearer x/y, Digest nonce=a")
    expectEqual(found.last, Challenge(scheme: "Digest", parameters: ["nonce": "a"]))
    expectEqual(found.map(\.scheme), ["Negotiate", "NTLM", "Basic", "Bearer", "Digest"])
  }

  @Test func randomTextsEnd() {
    for text in randomTexts(3_000, seed: 7, of: "ab=,\" \t\\;/(\u{E4}".map(String.init)) {
      for challenge in challenges(text) { #expect(!challenge.scheme.isEmpty) }
    }
  }
}
