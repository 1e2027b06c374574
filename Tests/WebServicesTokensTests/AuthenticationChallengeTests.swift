import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices

@Suite struct AuthenticationChallengeTests {
  private typealias Challenge = AuthenticationChallenge

  private func challenges(_ values: String...) -> [AuthenticationChallenge] {
    let fields = values.map { HTTPHeaders.Field(name: "www-authenticate", value: $0) }
    return WebServiceResponse(statusCode: 401, headers: HTTPHeaders(fields), url: URL(fileURLWithPath: "/")).challenges
  }

  @Test func examplesOfTheRFCsAreRead() {
    #expect(
      challenges(#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#) == [
        Challenge(scheme: "Basic", parameters: ["realm": "simple"]),
        Challenge(
          scheme: "Newauth", parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
      ])
    #expect(
      challenges(#"Bearer realm="example", error="invalid_token", error_description="The access token expired""#)
        == [
          Challenge(
            scheme: "Bearer",
            parameters: [
              "realm": "example", "error": "invalid_token", "error_description": "The access token expired",
            ])
        ])
  }

  @Test func tokensAndSeveralFieldsAreKeptApart() {
    #expect(
      challenges("Negotiate, NTLM TlRMTVNTUAAC==  , Basic realm=\"a\"", "Digest nonce=a=b") == [
        Challenge(scheme: "Negotiate"), Challenge(scheme: "NTLM", token: "TlRMTVNTUAAC=="),
        Challenge(scheme: "Basic", parameters: ["realm": "a"]),
        Challenge(scheme: "Digest", parameters: ["nonce": "a=b"]),
      ])
  }

  @Test func caseSpacesAndDoubledNamesDoNotMatter() {
    let found = challenges("  dIgEsT  REALM = \"a, b=c\" ,,\tnonce=x , Nonce=y,")
    #expect(found == [Challenge(scheme: "dIgEsT", parameters: ["realm": "a, b=c", "nonce": "x"])])
    #expect(found.first?.has(scheme: "Digest") == true)
    #expect(found.first?["Realm"] == "a, b=c" && found.first?.realm == "a, b=c")
  }

  @Test(
    arguments: [
      "", " ", ",", ", ,\t,", "=", "=,=", "\"", "\"a\"", "a=b", "a=b, c=d", "(a)", "\u{E4}", "=\"", "\"Basic realm=x",
    ])
  func textWithoutSchemeIsNoChallenge(value: String) {
    #expect(challenges(value).isEmpty)
  }

  @Test(
    arguments: [
      #"Basic realm="a", (b)=c, nonce=d"#, #"Basic realm="a", =x, nonce=d"#, #"(x), Basic realm="a", nonce=d"#,
      #"Basic realm="a"x, nonce=d"#,
    ])
  func malformedPartIsLeftOut(value: String) {
    #expect(challenges(value) == [Challenge(scheme: "Basic", parameters: ["realm": "a", "nonce": "d"])])
  }

  @Test func unclosedQuotedValueReachesToTheEnd() {
    #expect(
      challenges(#"Digest realm="a, nonce=b"#) == [Challenge(scheme: "Digest", parameters: ["realm": "a, nonce=b"])])
  }

  @Test func challengesAndParametersAreLimited() {
    let many = challenges(Array(repeating: "A", count: 100_000).joined(separator: ","))
    #expect(many.count == 100)
    let long = challenges("A " + (0..<100_000).map { "p\($0)=1" }.joined(separator: ","))
    #expect(long.map(\.parameters.count) == [100])
    #expect(challenges(String(repeating: "\"", count: 100_001)).isEmpty)
    #expect(challenges(String(repeating: "A ", count: 100_000)).count == 100)
  }

  @Test func randomTextsEnd() {
    var generator = SeededGenerator(seed: 7)
    let characters = Array("ab=,\" \t\\;/(\u{E4}")
    for _ in 0..<3_000 {
      let count = Int.random(in: 0..<40, using: &generator)
      let text = String((0..<count).map { _ in characters[Int.random(in: 0..<characters.count, using: &generator)] })
      for challenge in challenges(text) { #expect(!challenge.scheme.isEmpty) }
    }
  }
}
