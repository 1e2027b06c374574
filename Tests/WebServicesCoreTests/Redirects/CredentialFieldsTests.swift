import WebServicesTestSupport

@Suite struct CredentialFieldsTests {
  private let fields = CredentialFields(redaction: Redaction(headerNames: ["X-Request-ID", "User-Agent"]))

  @Test(arguments: [
    "Authorization", "Cookie", "Host", "X-Authorization", "X-Token", "X-Session-Id", "X-Access-Key", "X-Auth",
    "X-Shopify-Access-Token", "X-User-Token", "X-JWT-Assertion", "Referer", "baggage", "X-Request-ID", "User-Agent", "",
  ])
  func fieldsThatArentKnownCountAsCredentials(name: String) { #expect(fields.contain(name)) }

  @Test(arguments: ["Accept", "ACCEPT", "content-type", "Content-Type", "If-None-Match", "traceparent"])
  func harmlessFieldsDont(name: String) {
    #expect(!fields.contain(name, or: ["X-Key"]))
    #expect(fields.contain(name, or: [name.lowercased()]))
  }
}
