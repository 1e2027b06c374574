@testable import WebServicesTestSupport
@testable import WebServicesStreaming

@Suite struct DownloadProgressTests {
  private func response(_ status: Int, _ headers: HTTPHeaders = [:]) -> WebServiceResponse {
    WebServiceResponse(statusCode: status, headers: headers, url: URL(fileURLWithPath: "/"))
  }

  private let first: HTTPHeaders = ["ETag": "\"v1\"", "Content-Length": "100"]

  /// The number of resumptions after the end of a transfer with this head; `nil` without a resumption.
  private func resume(
    _ progress: inout DownloadProgress, after head: WebServiceResponse, bytes: Int, method: HTTPMethod = .get
  ) -> Int? {
    _ = progress.beginRequest(size: .max)
    if head.isSuccessful, progress.begin(head) != nil { _ = progress.add(bytes) }
    let error = TransportError(.connectionLost, message: "", mayHaveReachedServer: true, response: head)
    return progress.resume(after: .failure(error), method: method)
  }

  /// A download that has received 40 of 100 bytes of the version `"v1"`.
  private func begun() -> DownloadProgress {
    var progress = DownloadProgress()
    expectEqual(resume(&progress, after: response(200, first), bytes: 40), 1)
    return progress
  }

  @Test func bytesOfAnEarlierLaunchFitTheirVersion() throws {
    let version = try #require(DownloadProgress.Version(of: response(200, first)))
    let isContinued = [0, 1, 100, 101].map { DownloadProgress(continuing: version, received: $0) != nil }
    expectEqual(isContinued, [false, true, true, false])
  }

  /// Some servers name the coding that changes nothing, or none.
  @Test(arguments: ["identity", "", "Identity, identity"])
  func strongTagAllowsResumption(coding: String) {
    var progress = DownloadProgress()
    #expect(progress.beginRequest(size: 0).isEmpty)
    progress = begun()
    expectEqual(progress.beginRequest(size: 40), ["Range": "bytes=40-", "If-Range": "\"v1\""])
    let rest = response(
      206, ["Content-Range": "bytes 40-99/100", "Content-Length": "60", "ETag": "\"v1\"", "Content-Encoding": coding])
    expectEqual(progress.begin(rest), 40)
    expectEqual(resume(&progress, after: rest, bytes: 10), 2)
    expectEqual(progress.beginRequest(size: 50)["Range"], "bytes=50-")
    #expect(progress.beginRequest(size: 49).isEmpty)
  }

  @Test(arguments: [
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
      "Content-Length": "100", "Content-Encoding": "identity",
    ]
    expectEqual(resume(&progress, after: response(200, headers), bytes: 1), 1)
    expectEqual(progress.beginRequest(size: 1)["If-Range"], "Sun, 06 Nov 1994 08:49:37 GMT")
    let rest: HTTPHeaders = ["Content-Range": "bytes 1-99/100", "Content-Length": "99", "ETag": "\"other\""]
    expectEqual(progress.begin(response(206, rest)), 1)
    // A server that ignores `If-Range` sends a part of a newer version.
    let newer: HTTPHeaders = ["Content-Range": "bytes 1-99/100", "Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT"]
    expectEqual(progress.begin(response(206, newer)), nil)
  }

  @Test func otherMethodsStatusesAndErrorsPreventResumption() {
    for (status, bytes, method) in [(200, 40, .post), (200, 0, .get), (206, 40, .get), (503, 40, .get)]
      as [(Int, Int, HTTPMethod)]
    {
      var progress = DownloadProgress()
      expectEqual(resume(&progress, after: response(status, first), bytes: bytes, method: method), nil)
    }
    var progress = begun()
    let error = TransportError(.tooLarge, message: "", mayHaveReachedServer: true, response: response(200, first))
    expectEqual(progress.resume(after: .failure(error), method: .get), nil)
  }

  @Test(arguments: [
    ["Content-Length": "60"] as HTTPHeaders,
    ["Content-Range": "bytes 0-99/100", "Content-Length": "100"],
    ["Content-Range": "bytes 41-99/100", "Content-Length": "59"],
    ["Content-Range": "bytes 40-119/120", "Content-Length": "80"],
    ["Content-Range": "bytes 40-119/*", "Content-Length": "80"],
    ["Content-Range": "bytes 40-89/90", "Content-Length": "50"],
    ["Content-Range": "bytes 40-99/100", "Content-Length": "30"],
    ["Content-Range": "bytes 40-99/100", "Content-Length": "60", "ETag": "\"v2\""],
    ["Content-Range": "bytes 40-99/100", "Content-Length": "60", "Content-Encoding": "feather"],
  ])
  func onlyTheMissingPartIsAccepted(headers: HTTPHeaders) {
    var progress = begun()
    _ = progress.beginRequest(size: .max)
    expectEqual(progress.begin(response(206, headers)), nil)
    // `Content-Range` has no meaning in a 200, whose content is always the whole (RFC 9110, section 14.4).
    expectEqual(progress.begin(response(200, headers)), 0)
  }

  @Test func decodedPartIsNotThePartOfTheFile() {
    var progress = begun()
    _ = progress.beginRequest(size: .max)
    var part = response(206, ["Content-Range": "bytes 40-99/100", "ETag": "\"v1\""])
    expectEqual(progress.begin(part), 40)
    part.isDecoded = true
    expectEqual(progress.begin(part), nil)
  }

  @Test func firstPartNamesTheLengthOfADecodedFile() {
    var decoded = response(200, ["ETag": "\"v1\""])
    decoded.isDecoded = true
    var progress = DownloadProgress()
    expectEqual(resume(&progress, after: decoded, bytes: 40), 1)
    expectEqual(resume(&progress, after: response(206, ["Content-Range": "bytes 40-49/100"]), bytes: 10), 0)
    _ = progress.beginRequest(size: .max)
    expectEqual(progress.begin(response(206, ["Content-Range": "bytes 50-199/200"])), nil)
    expectEqual(progress.begin(response(206, ["Content-Range": "bytes 50-99/100"])), 50)
  }

  @Test(arguments: ["100", "*"])
  func shorterPartsAreRequestedInTurnWithoutAPause(total: String) {
    var progress = begun()
    // The parts have no length, as with chunks. More parts than resumptions are allowed.
    for first in Int64(40)..<52 {
      let part = response(206, ["Content-Range": "bytes \(first)-\(first)/\(total)"])
      _ = progress.beginRequest(size: .max)
      expectEqual(progress.begin(part), first)
      let end = TransportError(.truncated, message: "", mayHaveReachedServer: true)
      expectEqual(progress.add(1), first + 1)
      #expect(!progress.isComplete)
      expectEqual(progress.resume(after: .failure(end), method: .get), 0)
    }
    expectEqual(progress.beginRequest(size: .max)["Range"], "bytes=52-")
  }

  @Test func partThatTheCallerRequestsBeginsAnewAfterABreak() {
    var progress = DownloadProgress()
    let part = response(206, ["Content-Range": "bytes 40-99/100", "Content-Length": "60", "ETag": "\"v1\""])
    for _ in 0..<2 {
      #expect(progress.beginRequest(size: 40, isForPart: true).isEmpty)
      expectEqual(progress.begin(part), 0)
      expectEqual(progress.add(40), 40)
    }
    let lost = TransportError(.connectionLost, message: "", mayHaveReachedServer: true, response: part)
    expectEqual(progress.resume(after: .failure(lost), method: .get), nil)
    var coded = part
    coded.headers["Content-Encoding"] = "gzip"
    _ = progress.beginRequest(size: 40, isForPart: true)
    expectEqual(progress.begin(coded), 0)
    expectEqual(progress.add(40), 40)
    expectEqual(progress.resume(after: .success(coded), method: .get), nil)
  }

  @Test func partWithoutABodyCountsAsAResumption() {
    var progress = begun()
    let part = response(206, ["Content-Range": "bytes 40-41/100"])
    let counts = (0..<10).map { _ in resume(&progress, after: part, bytes: 0) }
    expectEqual(counts, [2, 3, 4, 5, 6, 7, 8, 9, 10, nil])
  }

  @Test func brokenEndOfAWholeFileCountsAsAResumption() {
    var progress = DownloadProgress()
    expectEqual(resume(&progress, after: response(200, first), bytes: 100), 1)
    let last = response(206, ["Content-Range": "bytes 99-99/100"])
    expectEqual(resume(&progress, after: last, bytes: 1), 2)
  }

  @Test func resumptionGoesOnIfATransferHasNoHead() throws {
    var progress = begun()
    let kinds: [TransportError.Kind] = [.cannotConnect, .connectionLost, .timedOut(.whole), .refusedBySession]
    for (index, kind) in kinds.enumerated() {
      expectEqual(progress.beginRequest(size: 40)["Range"], "bytes=40-")
      let error = TransportError(kind, message: "", mayHaveReachedServer: false)
      expectEqual(progress.resume(after: .failure(error), method: .get), index + 2)
    }
    let lost = TransportError(.connectionLost, message: "", mayHaveReachedServer: true)
    var first = DownloadProgress()
    _ = first.beginRequest(size: 0)
    expectEqual(first.resume(after: .failure(lost), method: .get), nil)
    // Bytes of an earlier launch are no reason to try again without a network.
    let version = try #require(DownloadProgress.Version(of: response(200, self.first)))
    var kept = try #require(DownloadProgress(continuing: version, received: 40))
    _ = kept.beginRequest(size: 40)
    expectEqual(kept.resume(after: .failure(lost), method: .get), nil)
  }

  @Test func announcedLengthOfAnErrorLeavesTheProgressOfTheFile() {
    var decoded = response(200, ["ETag": "\"v1\""])
    decoded.isDecoded = true
    var progress = DownloadProgress()
    expectEqual(resume(&progress, after: decoded, bytes: 40), 1)
    _ = progress.beginRequest(size: 40)
    let report = TransportRequest.Progress(sent: 0, expectedToSend: 0, received: 9, expectedToReceive: .max)
    let whole = progress.whole(report)
    #expect(whole.received == 40 && whole.expectedToReceive == nil)
    // The file has no bytes before its first good response.
    progress = DownloadProgress()
    _ = progress.beginRequest(size: 0)
    let none = progress.whole(report)
    #expect(none.received == 0 && none.expectedToReceive == nil)
  }

  @Test func aDownloadWithAllBytesRequestsTheLastByteAgain() throws {
    for (length, range) in [(2, "bytes=1-"), (1, nil)] as [(Int64, String?)] {
      let head = response(200, ["ETag": "\"v1\"", "Content-Length": "\(length)"])
      let version = try #require(DownloadProgress.Version(of: head))
      var progress = try #require(DownloadProgress(continuing: version, received: length))
      expectEqual(progress.beginRequest(size: length)["Range"], range)
    }
  }

  @Test func wholeResponseRestartsTheDownload() {
    var progress = begun()
    let second = response(200, ["ETag": "\"v2\"", "Content-Length": "50"])
    expectEqual(progress.begin(second), 0)
    expectEqual(resume(&progress, after: second, bytes: 20), 2)
    expectEqual(progress.beginRequest(size: 20), ["Range": "bytes=20-", "If-Range": "\"v2\""])
    expectEqual(progress.resume(after: .success(response(416)), method: .get), 0)
    #expect(progress.beginRequest(size: 20).isEmpty)
    expectEqual(progress.resume(after: .success(response(416)), method: .get), nil)
  }

  @Test func onlyContentRangesOfRFC9110AreRead() throws {
    for (field, total) in [("bytes 42-1233/1234", 1234), ("Bytes 42-1233/*", nil)] as [(String, Int64?)] {
      let range = try #require(ContentRange(field))
      #expect(range.first == 42 && range.last == 1233 && range.total == total)
    }
    let invalid = [
      nil, "", "bytes", "bytes ", "bytes */100", "bytes 5-", "bytes -5/10", "bytes 5-4/10", "bytes 0-10/10",
      "items 0-1/2", "bytes +1-2/3", "bytes 1-+2/3", "bytes 1-2", "bytes 1-2/x", "bytes 0-9223372036854775807/*",
      "bytes 0-99999999999999999999/*",
    ]
    for field in invalid { #expect(ContentRange(field) == nil, "\(field ?? "none")") }
  }
}

extension DownloadProgress {
  /// Notes a head and the beginning of its body.
  fileprivate mutating func begin(_ head: WebServiceResponse) -> Int64? {
    note(head)
    return beginBody()
  }
}
