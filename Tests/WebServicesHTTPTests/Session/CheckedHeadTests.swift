@testable import WebServicesHTTP
import WebServicesTestSupport

@Suite struct CheckedHeadTests {
  private func request(isHeadChecked: Bool) throws -> TransportRequest {
    TransportRequest(
      method: .get, url: .parsed(try HTTPURL("https://h/")), headers: ["X-A": "a\nb"], body: .none,
      timeouts: TransportRequest.Timeouts(), responseLimit: 1, options: RequestOptions(), isHeadChecked: isHeadChecked)
  }

  @Test func headIsCheckedUnlessItsMakerHasCheckedIt() throws {
    #expect(throws: TransportError.self) { try request(isHeadChecked: false).checkHead() }
    try request(isHeadChecked: true).checkHead()
  }

  @Test func changedHeadIsCheckedAgain() throws {
    var (fields, method) = (try request(isHeadChecked: true), try request(isHeadChecked: true))
    fields.headers["X-B"] = "b"
    method.method = .post
    #expect(throws: TransportError.self) { try fields.checkHead() }
    #expect(throws: TransportError.self) { try method.checkHead() }
  }
}
