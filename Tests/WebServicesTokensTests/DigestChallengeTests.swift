@testable import WebServicesCore
@testable import WebServicesTestSupport
@testable import WebServicesTokens

@Suite struct DigestChallengeTests {
  private static let parameters = [
    "realm": "http-auth@example.org", "qop": "auth, auth-int", "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
    "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
  ]

  private func challenge(_ changes: [String: String?] = [:]) -> DigestChallenge? {
    var parameters = Self.parameters
    for (name, value) in changes { parameters[name] = value }
    return DigestChallenge(AuthenticationChallenge(scheme: "Digest", parameters: parameters))
  }

  private func field(_ changes: [String: String?] = [:], user: String = "Mufasa") -> String {
    challenge(changes).map { field($0, user: user, password: "Circle of Life") } ?? "none"
  }

  private func field(_ challenge: DigestChallenge, user: String, password: String) -> String {
    challenge.field(
      user: user, password: password, method: .get, target: "/dir/index.html", count: 1,
      clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
  }

  /// Each origin that is forgotten costs one more 401.
  @Test func challengesOfAHundredOriginsAreKept() throws {
    let credentials = DigestCredentials(user: "me", password: "word")
    let signer = try #require(WebServiceAuthorizationType.digest(credentials).signer)
    func request(_ number: Int) -> TransportRequest { TransportRequest(url: testURL("https://h\(number)/")) }
    func isSigned(_ number: Int) throws -> Bool { try !signer.sign(request(number), token: nil).isEmpty }
    func challenge(_ number: Int) {
      let headers: HTTPHeaders = ["WWW-Authenticate": #"Digest realm="r", nonce="n", qop="auth""#]
      _ = signer.onChallenge?(
        WebServiceResponse(statusCode: 401, headers: headers, url: request(number).url), request(number))
    }
    for number in 0..<100 { challenge(number) }
    #expect(try isSigned(0))
    challenge(100)
    #expect(try !isSigned(0) && isSigned(100))
  }

  @Test func md5HasHashesOfRFC1321() {
    let examples = [
      ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
      ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      (
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
        "57edf4a22be3c955ac49da2e2107b67a"
      ),
      (String(repeating: "a", count: 55), "ef1772b6dff9a122358552954ad0df65"),
      (String(repeating: "a", count: 56), "3b0c8ac703f828b04c6c197006d17218"),
      (String(repeating: "a", count: 64), "014842d480b571495a4a0363793f7367"),
    ]
    for (text, hash) in examples { expectEqual(MD5.hash(text.utf8).hexadecimal, hash) }
  }

  @Test func fieldsAreThoseOfRFC7616() {
    let head = #"""
      Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \#
      uri="/dir/index.html", response="
      """#
    let tail = #"""
      opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001, \#
      cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
      """#
    #expect(
      field(["algorithm": "MD5"])
        == head + #"8ca523f5e9506fed4657c9700eebdbec", algorithm=MD5, "# + tail)
    #expect(
      field(["algorithm": "SHA-256"])
        == head + #"753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1", algorithm=SHA-256, "# + tail)
    expectEqual(field(), head + #"8ca523f5e9506fed4657c9700eebdbec", "# + tail)
  }

  @Test func algorithmsOfSessionHashTheNoncesToo() {
    #expect(field(["algorithm": "md5-sess"]).contains(#"response="e783283f46242139c486a698fec7211d""#))
    #expect(
      field(["algorithm": "SHA-256-sess"]).contains(
        #"response="2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7", algorithm=SHA-256-sess"#))
  }

  @Test func serverThatDoesNotCountGetsDigestOfRFC2069() throws {
    let challenge = DigestChallenge(
      AuthenticationChallenge(
        scheme: "digest", parameters: ["realm": "testrealm@host.com", "nonce": "dcd98b7102dd2f0e8b11d0f600bfb0c093"]))
    let text = field(try #require(challenge), user: "Mufasa", password: "Circle Of Life")
    #expect(text.hasSuffix(#"response="670fd8c2df070c60b045671b8b24ff02""#))
    #expect(field(["qop": nil, "algorithm": "MD5-sess"]).contains("cnonce="))
    for qualities in ["AUTH", "auth-int, auth"] { #expect(field(["qop": qualities]).contains("qop=auth")) }
  }

  @Test func userNameIsEscaped() {
    #expect(field(user: "J\u{E4}s\u{F8}n Doe").hasPrefix("Digest username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, "))
    #expect(field(user: #"a"b\c"#).hasPrefix(#"Digest username="a\"b\\c", "#))
    #expect(field(user: "a\u{7F}b").hasPrefix("Digest username*=UTF-8''a%7Fb, "))
    #expect(field(user: "a\r\nb").hasPrefix("Digest username*=UTF-8''a%0D%0Ab, "))
  }

  @Test func strongestKnownAlgorithmIsChosen() {
    func parameters(_ algorithm: String?, _ scheme: String = "Digest") -> AuthenticationChallenge {
      var parameters = Self.parameters
      parameters["algorithm"] = algorithm
      return AuthenticationChallenge(scheme: scheme, parameters: parameters)
    }
    let challenges = ["SHA-512-256", "MD5", "SHA-256"].map { parameters($0) }
    expectEqual(DigestChallenge.best(of: challenges)?.algorithm, .sha256)
    expectEqual(DigestChallenge.best(of: [parameters("SHA-512-256"), parameters(nil)])?.algorithm, .md5)
    expectEqual(DigestChallenge.best(of: [parameters("SHA-512-256"), parameters(nil, "Basic")]), nil)
    for changes: [String: String?] in [
      ["realm": nil], ["nonce": nil], ["qop": "auth-int"], ["qop": ""], ["algorithm": ""], ["algorithm": "token"],
    ] { expectEqual(challenge(changes), nil) }
  }
}
