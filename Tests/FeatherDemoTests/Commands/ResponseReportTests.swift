import Foundation
import Testing
import WebServices

@testable import FeatherDemo

@Suite struct ResponseReportTests {
  private func response(
    _ body: Data, type: String? = nil, status: Int = 200, headers: HTTPHeaders = [:], metrics: TransportMetrics? = nil
  ) throws -> WebServiceResponse {
    var headers = headers
    headers["Content-Type"] = type
    return WebServiceResponse(
      statusCode: status, headers: headers, url: try #require(URL(string: "http://host/")), body: body, metrics: metrics
    )
  }

  private func content(_ text: String, type: String?) throws -> ResponseReport.Content {
    ResponseReport(try response(Data(text.utf8), type: type)).content
  }

  @Test func jsonIsIndented() throws {
    #expect(try content(#"{"b":1.0,"a":[]}"#, type: "application/json") == .json("{\n  \"b\": 1.0,\n  \"a\": []\n}"))
    #expect(try content("[1]", type: "application/problem+json; charset=utf-8") == .json("[\n  1\n]"))
  }

  @Test func invalidJSONIsShownAsText() throws {
    #expect(try content("{oops", type: "application/json") == .text("{oops"))
    #expect(try content("[1]", type: "text/plain") == .text("[1]"))
    #expect(try content("a\r\nb", type: nil) == .text("a\nb"))
  }

  @Test func charsetOfTheResponseIsUsed() throws {
    let latin = try response(Data([0x66, 0xFC, 0x72]), type: "text/plain; charset=iso-8859-1")
    #expect(ResponseReport(latin).content == .text("für"))
    #expect(ResponseReport(try response(Data([0x66, 0xFC, 0x72]), type: "text/plain")).content == .binary(3))
  }

  @Test func binaryContentIsShownAsByteCount() throws {
    let report = ResponseReport(try response(Data([0, 1, 2]), type: "image/png"))
    #expect(report.content == .binary(3))
    #expect(report.lines(outputFile: nil, bodySize: 3).last == "3 bytes of binary content.")
    #expect(report.lines(outputFile: "a\nb", bodySize: 3).last == "3 bytes written to a b.")
    #expect(ResponseReport(try response(Data())).lines(outputFile: nil, bodySize: 0).last == "No content.")
  }

  @Test func headIsShownWithoutCredentials() throws {
    let headers: HTTPHeaders = ["Set-Cookie": "a=hunter2", "X-Note": "b", "set-cookie": "c=hunter2"]
    let head = ResponseReport(try response(Data(), status: 404, headers: headers)).head
    #expect(head == ["HTTP 404 Not Found", "Set-Cookie: <redacted>", "X-Note: b", "set-cookie: <redacted>"])
    #expect(ResponseReport(try response(Data(), status: 299)).head == ["HTTP 299"])
  }

  @Test func timingsNameEachPhase() throws {
    let metrics = TransportMetrics(
      nameLookup: 0.001, connect: 0.003, firstByte: 0.01, total: 0.012, remoteAddress: "127.0.0.1:80",
      httpVersion: "HTTP/1.1", bytesSent: 1, bytesReceived: 2)
    let report = ResponseReport(try response(Data(), metrics: metrics))
    #expect(report.head == ["HTTP/1.1 200 OK"])
    #expect(
      report.timings == [
        "name look-up 1.0 ms, connect 2.0 ms, first byte 7.0 ms, body 2.0 ms, total 12.0 ms",
        "a new connection to 127.0.0.1:80; 1 byte sent, 2 bytes received",
      ])
  }
}
