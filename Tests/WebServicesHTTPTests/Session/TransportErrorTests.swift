@testable import WebServicesTestSupport

/// The kinds of connection errors on every session.
@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct TransportErrorTests {
  @Test("fact 20: unreachable hosts are distinguished", arguments: TransportKind.allCases)
  func unreachableHostsAreDistinguished(_ kind: TransportKind) async throws {
    let server = try LoopbackServer.forTest()
    let closed = try ClosedPort()
    let session = try kind.makeSession()
    let isUncertain = kind.isFoundationOnLinux
    let rows: [(URL, TransportError.Kind, mayHaveReachedServer: Bool)] = [
      (testURL("https://127.0.0.1:\(server.port)/"), isUncertain ? .other : .tls, isUncertain),
      (closed.url(), .cannotConnect, isUncertain), (testURL("http://chunk.ssl.invalid/"), .nameLookup, false),
    ]
    for (url, kind, mayHaveReachedServer) in rows {
      let error = await session.send(TransportRequest(url: url)).error
      #expect(error?.kind == kind && error?.mayHaveReachedServer == mayHaveReachedServer, "\(url)")
    }
    session.invalidateAndCancel()
  }

  @Test("fact 20: a reset is a lost connection", arguments: TransportKind.allCases)
  func resetIsAConnectionLoss(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let before = await harness.transfer(serving: [.reset]).error
    expectEqual(before?.kind, .connectionLost)
    expectEqual(before?.mayHaveReachedServer, true)
    let within = await harness.transfer(
      serving: [.head(status: 200, headers: ["Content-Length": "9"]), .body(Data("abc".utf8)), .delay(0.05), .reset])
    expectEqual(within.error?.kind, kind.isFoundation ? .connectionLost : .truncated)
    // An injected session doesn't reveal whether a response had begun.
    expectEqual(within.error?.response?.body, (kind == .injected ? nil : Data("abc".utf8)))
  }

  @Test(.enabled(if: TLSLoopback.unavailability == nil, "python3 is missing"))
  func untrustedCertificatesAreRefused() async throws {
    let server = try LoopbackServer.forTest()
    server.route(.get, "/", .text("secret"))
    let tls = try TLSLoopback(server)
    defer { tls.stop() }
    let session = FoundationSession()
    defer { session.invalidateAndCancel() }
    let error = await session.send(TransportRequest(url: tls.url("/"))).error
    // On Linux Foundation doesn't tell the reason, and goes through a proxy that the environment names.
    #expect(Platform.foundation == .apple ? error?.kind == .tls : error != nil)
    expectEqual(server.requestCount, 0)
  }

  @Test(
    arguments: [
      (.appTransportSecurityRequiresSecureConnection, .invalidRequest, false, "App Transport Security"),
      (.secureConnectionFailed, .tls, false, "TLS handshake"),
      (.serverCertificateUntrusted, .tls, false, "another host"),
      (.clientCertificateRequired, .tls, false, "clientCertificate"),
      (.notConnectedToInternet, .notConnected, false, "-1009"),
      (.networkConnectionLost, .connectionLost, true, "-1005"), (.unknown, .other, true, "-1"),
    ] as [(URLError.Code, TransportError.Kind, Bool, String)])
  func applesCodesAreToldInWords(
    _ code: URLError.Code, _ kind: TransportError.Kind, _ mayHaveReachedServer: Bool, _ words: String
  ) {
    let error = TransportError(sessionError: URLError(code), response: nil, from: .apple)
    expectEqual(error.kind, kind)
    expectEqual(error.mayHaveReachedServer, mayHaveReachedServer)
    #expect(error.message.contains("\(code.rawValue)") && error.message.contains(words))
    expectEqual((error.underlying as? URLError)?.code, code)
  }

  @Test(
    arguments: [
      (.timedOut(.idle), .timedOut), (.invalidated, .cancelled), (.notConnected, .notConnectedToInternet),
      (.refusedBySession, .cannotConnectToHost), (.tls, .secureConnectionFailed), (.truncated, .networkConnectionLost),
      (.notHTTPResponse, .badServerResponse), (.badEncoding, .cannotDecodeContentData),
      (.tooLarge, .dataLengthExceedsMaximum), (.invalidRequest, .badURL), (.file, .cannotOpenFile), (.other, .unknown),
    ] as [(TransportError.Kind, URLError.Code)])
  func kindsHaveCodesOfFoundation(_ kind: TransportError.Kind, _ code: URLError.Code) {
    let error = TransportError.unsent(kind, "words").foundation
    expectEqual(error.code, code)
    expectEqual(error.localizedDescription, "words")
    expectEqual((error.userInfo[NSUnderlyingErrorKey] as? TransportError)?.kind, kind)
  }

  /// On Linux, Foundation makes most codes of an `errno` that an earlier connection may have set.
  @Test func onLinuxOnlyAFailedLookupReachesNoServer() {
    for (code, mayHaveReachedServer) in [(URLError.Code.cannotFindHost, false), (.cannotConnectToHost, true)] {
      let error = TransportError(sessionError: URLError(code), response: nil, from: .openSource)
      expectEqual(error.mayHaveReachedServer, mayHaveReachedServer)
    }
  }

  /// An attempt is counted once the library has tried to connect.
  @Test func errorsBeforeAConnectionAreOfNoAttempt() {
    let rows: [(TransportError, isOfAttempt: Bool)] = [
      (.invalid("a"), false), (.sessionIsInvalidated, false), (.unsent(.refusedBySession, "a"), false),
      (.unsent(.file, "a"), false), (.sent(.file, "a"), true), (.unsent(.cannotConnect, "a"), true),
      (TransportError(.timedOut(.whole), waitingFor: .connecting), true),
      (TransportError(.timedOut(.whole), waitingFor: .turn(host: "h", limit: 1)), false),
    ]
    for (error, isOfAttempt) in rows { #expect(error.isOfAttempt == isOfAttempt, "\(error)") }
  }

  @Test func descriptionShowsNoUserInfo() {
    let error = TransportError.unsent(.other, "no proxy at me:secret@proxy:80, token=abc")
    expectEqual(error.description, "other: no proxy at <redacted>@proxy:80, token=<redacted>")
  }

  @Test func backgroundSessionsAreRefused() {
    #expect(TransportError.backgroundSession(nil) == nil)
    let error = TransportError.backgroundSession("sync")
    #expect(error?.kind == .invalidRequest && error?.message.contains("sync is a background session") == true)
  }
}
