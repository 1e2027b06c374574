@testable import WebServicesTestSupport
@testable import WebServicesHTTP
@testable import WebServicesStreaming

@Suite struct DownloadProgressTests {
  private func response(_ status: Int, _ headers: HTTPHeaders = [:]) -> WebServiceResponse {
    WebServiceResponse(statusCode: status, headers: headers, url: URL(fileURLWithPath: "/"))
  }

  private let first: HTTPHeaders = ["ETag": "\"v1\"", "Content-Length": "100"]

  /// The number of resumptions after the end of a transfer with this head; `nil` without a resumption.
  private func resume(
    _ progress: inout DownloadProgress, after head: WebServiceResponse, bytes: Int64, method: HTTPMethod = .get
  ) -> Int? {
    _ = progress.beginRequest(size: .max)
    if head.isSuccessful { _ = progress.begin(head) }
    let error = TransportError(.connectionLost, message: "", mayHaveReachedServer: true, response: head)
    return progress.resume(after: .failure(error), bytes: bytes, method: method)
  }

  /// A download that has received 40 of 100 bytes of the version `"v1"`.
  private func begun() -> DownloadProgress {
    var progress = DownloadProgress()
    expectEqual(resume(&progress, after: response(200, first), bytes: 40), 1)
    return progress
  }

  @Test func strongTagAllowsResumption() {
    var progress = DownloadProgress()
    #expect(progress.beginRequest(size: 0).isEmpty)
    progress = begun()
    expectEqual(progress.beginRequest(size: 40), ["Range": "bytes=40-", "If-Range": "\"v1\""])
    let rest = response(206, ["Content-Range": "bytes 40-99/100", "Content-Length": "60", "ETag": "\"v1\""])
    expectEqual(progress.begin(rest), 40)
    expectEqual(resume(&progress, after: rest, bytes: 10), 2)
    expectEqual(progress.beginRequest(size: 50)["Range"], "bytes=50-")
    #expect(progress.beginRequest(size: 49).isEmpty)
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
    expectEqual(resume(&progress, after: response(200, headers), bytes: 40), nil)
    #expect(progress.beginRequest(size: 40).isEmpty)
  }

  @Test func olderDateAllowsResumption() {
    var progress = DownloadProgress()
    let headers: HTTPHeaders = [
      "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:38 GMT",
      "Content-Length": "100",
    ]
    expectEqual(resume(&progress, after: response(200, headers), bytes: 1), 1)
    expectEqual(progress.beginRequest(size: 1)["If-Range"], "Sun, 06 Nov 1994 08:49:37 GMT")
    let rest = response(206, ["Content-Range": "bytes 1-99/100", "Content-Length": "99", "ETag": "\"other\""])
    expectEqual(progress.begin(rest), 1)
  }

  @Test func otherMethodsStatusesAndErrorsPreventResumption() {
    for (status, bytes, method) in [(200, 40, .post), (200, 0, .get), (206, 40, .get), (503, 40, .get)]
      as [(Int, Int64, HTTPMethod)]
    {
      var progress = DownloadProgress()
      expectEqual(resume(&progress, after: response(status, first), bytes: bytes, method: method), nil)
    }
    var progress = begun()
    let error = TransportError(.tooLarge, message: "", mayHaveReachedServer: true, response: response(200, first))
    expectEqual(progress.resume(after: .failure(error), bytes: 1, method: .get), nil)
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
    expectEqual(resume(&progress, after: response(206, headers), bytes: 1), nil)
    expectEqual(progress.begin(response(206, headers)), nil)
  }

  @Test func wholeResponseRestartsTheDownload() {
    var progress = begun()
    let second = response(200, ["ETag": "\"v2\"", "Content-Length": "50"])
    expectEqual(progress.begin(second), 0)
    expectEqual(resume(&progress, after: second, bytes: 20), 2)
    expectEqual(progress.beginRequest(size: 20), ["Range": "bytes=20-", "If-Range": "\"v2\""])
    expectEqual(progress.resume(after: .success(response(416)), bytes: 0, method: .get), 0)
    #expect(progress.beginRequest(size: 20).isEmpty)
    expectEqual(progress.resume(after: .success(response(416)), bytes: 0, method: .get), nil)
  }

  @Test func onlyContentRangesOfRFC9110AreRead() throws {
    let known = try #require(ContentRange("bytes 42-1233/1234"))
    #expect(known.first == 42 && known.last == 1233 && known.total == 1234)
    let unknown = try #require(ContentRange("Bytes 42-1233/*"))
    #expect(unknown.first == 42 && unknown.last == 1233 && unknown.total == nil)
    let invalid = [
      nil, "", "bytes", "bytes ", "bytes */100", "bytes 5-", "bytes -5/10", "bytes 5-4/10", "bytes 0-10/10",
      "items 0-1/2", "bytes +1-2/3", "bytes 1-+2/3", "bytes 1-2", "bytes 1-2/x", "bytes 0-9223372036854775807/*",
      "bytes 0-99999999999999999999/*",
    ]
    for field in invalid { #expect(ContentRange(field) == nil, "\(field ?? "none")") }
  }
}
