import WebServicesTestSupport

@Suite struct CredentialFieldsTests {
  private let fields = CredentialFields(redaction: Redaction(headerNames: ["X-Request-ID"]))

  @Test(arguments: [
    "Authorization", "Cookie", "Host", "X-Authorization", "X-Token", "X-Session-Id", "X-Access-Key", "X-Auth",
    "X-Shopify-Access-Token", "X-User-Token", "X-JWT-Assertion", "Referer", "baggage", "X-Request-ID", "",
  ])
  func fieldsThatArentKnownCountAsCredentials(name: String) { #expect(fields.contain(name)) }

  @Test(arguments: ["Accept", "ACCEPT", "content-type", "User-Agent", "If-None-Match", "traceparent"])
  func harmlessFieldsDont(name: String) {
    #expect(!fields.contain(name, or: ["X-Key"]))
    #expect(fields.contain(name, or: [name.lowercased()]))
  }
}
