import Foundation
import Testing

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesStreaming

@Suite struct DownloadProgressTests {
  private func response(_ status: Int, _ headers: HTTPHeaders = [:]) -> WebServiceResponse {
    WebServiceResponse(statusCode: status, headers: headers, url: URL(fileURLWithPath: "/"))
  }

  private let first: HTTPHeaders = ["ETag": "\"v1\"", "Content-Length": "100"]

  /// A download that has received 40 of 100 bytes of the version `"v1"`.
  private func begun() -> DownloadProgress {
    var progress = DownloadProgress()
    _ = progress.noteBreak(response(200, first), bytes: 40, method: .get)
    return progress
  }

  @Test func strongTagAllowsResumption() {
    var progress = DownloadProgress()
    #expect(progress.headers.isEmpty)
    #expect(progress.piece(of: response(200, first)) == .whole)
    #expect(progress.noteBreak(response(200, first), bytes: 40, method: .get) == true)
    #expect(progress.headers == ["Range": "bytes=40-", "If-Range": "\"v1\""])
    let rest = response(206, ["Content-Range": "bytes 40-99/100", "Content-Length": "60", "ETag": "\"v1\""])
    #expect(progress.piece(of: rest) == .rest)
    #expect(progress.noteBreak(rest, bytes: 10, method: .get) == true)
    #expect(progress.headers["Range"] == "bytes=50-")
    #expect(progress.resumptions == 2)
  }

  @Test(
    arguments: [
      ["Content-Length": "100"] as HTTPHeaders,
      ["ETag": "W/\"v1\"", "Content-Length": "100"],
      ["ETag": "v1", "Content-Length": "100"],
      // Without a length the transport may have decompressed the bytes.
      ["ETag": "\"v1\""],
      ["ETag": "\"v1\"", "Content-Length": "100", "Content-Encoding": "feather"],
      ["ETag": "\"v1\"", "Content-Length": "100", "Accept-Ranges": "None"],
      ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Content-Length": "100"],
      [
        "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
        "Content-Length": "100",
      ],
      ["Last-Modified": "yesterday", "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Content-Length": "100"],
      [
        "ETag": "W/\"v1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Mon, 07 Nov 1994 08:49:37 GMT",
        "Content-Length": "100",
      ],
    ])
  func unclearVersionOrBytesPreventResumption(headers: HTTPHeaders) {
    var progress = DownloadProgress()
    #expect(progress.noteBreak(response(200, headers), bytes: 40, method: .get) == false)
    #expect(progress.headers.isEmpty)
  }

  @Test func olderDateAllowsResumption() {
    var progress = DownloadProgress()
    let headers: HTTPHeaders = [
      "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:38 GMT",
      "Content-Length": "100",
    ]
    #expect(progress.noteBreak(response(200, headers), bytes: 1, method: .get) == true)
    #expect(progress.headers["If-Range"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    let rest = response(206, ["Content-Range": "bytes 1-99/100", "Content-Length": "99", "ETag": "\"other\""])
    #expect(progress.piece(of: rest) == .rest)
  }

  @Test func otherMethodsAndStatusesPreventResumption() {
    var progress = DownloadProgress()
    #expect(progress.noteBreak(response(200, first), bytes: 40, method: .post) == false)
    progress = DownloadProgress()
    #expect(progress.noteBreak(response(200, first), bytes: 0, method: .get) == false)
    progress = DownloadProgress()
    #expect(progress.noteBreak(response(206, first), bytes: 40, method: .get) == false)
    progress = DownloadProgress()
    #expect(progress.noteBreak(response(503, first), bytes: 40, method: .get) == false)
  }

  @Test(
    arguments: [
      ["Content-Length": "60"] as HTTPHeaders,
      ["Content-Range": "bytes 0-99/100", "Content-Length": "100"],
      ["Content-Range": "bytes 41-99/100", "Content-Length": "59"],
      ["Content-Range": "bytes 40-79/100", "Content-Length": "40"],
      ["Content-Range": "bytes 40-119/120", "Content-Length": "80"],
      ["Content-Range": "bytes 40-99/100"],
      ["Content-Range": "bytes 40-99/100", "Content-Length": "30"],
      ["Content-Range": "bytes 40-99/100", "Content-Length": "60", "ETag": "\"v2\""],
      ["Content-Range": "bytes 40-99/100", "Content-Length": "60", "Content-Encoding": "feather"],
    ])
  func onlyTheMissingPartIsAccepted(headers: HTTPHeaders) {
    var progress = begun()
    #expect(progress.piece(of: response(206, headers)) == .unusable)
    #expect(progress.noteBreak(response(206, headers), bytes: 1, method: .get) == false)
  }

  @Test func wholeResponseRestartsTheDownload() {
    var progress = begun()
    let second = response(200, ["ETag": "\"v2\"", "Content-Length": "50"])
    #expect(progress.piece(of: second) == .whole)
    #expect(progress.noteBreak(second, bytes: 20, method: .get) == true)
    #expect(progress.headers == ["Range": "bytes=20-", "If-Range": "\"v2\""])
    #expect(progress.noteBreak(response(200), bytes: 10, method: .get) == false)
    #expect(progress.piece(of: response(416)) == .unusable)
  }

  @Test func downloadResumesTenTimesAtMost() {
    var progress = DownloadProgress()
    var count = 0
    while progress.noteBreak(response(200, first), bytes: 1, method: .get), count < 100 { count += 1 }
    #expect(count == DownloadProgress.limit)
  }

  @Test(
    arguments: [
      "", "bytes", "bytes ", "bytes */100", "bytes 5-", "bytes -5/10", "bytes 5-4/10", "bytes 0-10/10", "items 0-1/2",
      "bytes +1-2/3", "bytes 1-+2/3", "bytes 1-2", "bytes 1-2/x", "bytes 0-9223372036854775807/*",
      "bytes 0-99999999999999999999/*",
    ])
  func invalidContentRangesAreRefused(field: String) {
    #expect(ContentRange(field) == nil)
  }

  @Test func contentRangesOfRFC9110AreParsed() throws {
    let known = try #require(ContentRange("bytes 42-1233/1234"))
    #expect(known.first == 42 && known.last == 1233 && known.total == 1234)
    let unknown = try #require(ContentRange("Bytes 42-1233/*"))
    #expect(unknown.first == 42 && unknown.last == 1233 && unknown.total == nil)
    #expect(ContentRange(nil) == nil)
  }
}
