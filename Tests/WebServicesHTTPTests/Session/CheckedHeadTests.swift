import WebServicesTestSupport

@Suite struct CheckedHeadTests {
  private func request(isHeadChecked: Bool) throws -> TransportRequest {
    TransportRequest(
      method: .get, url: .parsed(try HTTPURL("https://h/")), headers: ["X-A": "a\nb"], body: .none,
      timeouts: TransportRequest.Timeouts(), responseLimit: 1, options: RequestOptions(), isHeadChecked: isHeadChecked)
  }

  @Test func headIsCheckedUnlessItsMakerHasCheckedIt() throws {
    let checked = try request(isHeadChecked: true)
    try checked.checkHead()
    var (fields, method) = (checked, checked)
    fields.headers["X-B"] = "b"
    method.method = .post
    for changed in [try request(isHeadChecked: false), fields, method] {
      #expect(throws: TransportError.self) { try changed.checkHead() }
    }
  }
}
