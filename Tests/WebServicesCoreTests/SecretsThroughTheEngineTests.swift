@testable import WebServicesTestSupport

/// Puts a secret into every place of a request, ends the request in every way, and searches all printed texts for the
/// secret.
@Suite(.leavesNothing) struct SecretsThroughTheEngineTests {
  /// The place of a secret. Each place gets its own secret, so that hiding one can't hide another.
  private enum Source: String, CaseIterable {
    case header, query, json, basic, token, signer, cookie, userInfo, serverUserInfo, setCookie, form, hop

    var mark: String { "Zq7\(rawValue)Xw9Kv2Lm4" }
  }

  private static let authorizations: [WebServiceAuthorizationType] = [
    .basic(user: "me", password: Source.basic.mark), .bearer, .apiToken, .header(named: "X-Odd"),
    .custom(
      RequestSigner(named: "test", needsToken: true) { _, token in
        ["X-Signature": "v1 sig=\"\(Source.signer.mark)\"", "X-Key": token?.value ?? ""]
      }),
  ]

  /// The way in which a request ends.
  private enum Ending: String, CaseIterable {
    case undecodable, refused, unauthorized, redirect, downgrade, loop, circle, invalidLocation, lost, message, timeout
    case deadline, cancel, offline, retries, validator, large
  }

  private struct SecretError: Error, LocalizedError, CustomStringConvertible {
    var description: String { Source.allCases.map(\.mark).joined() }
    var errorDescription: String? { description }
  }

  private static func headers(_ echo: String) -> HTTPHeaders {
    [
      "Set-Cookie": "sid=\(Source.setCookie.mark); Path=/", "X-Echo": echo,
      "WWW-Authenticate": "Basic realm=\"\(echo)\"",
    ]
  }

  /// The text of a server that repeats everything it was sent.
  private static func echo(_ authorization: WebServiceAuthorizationType, form: Bool) -> String {
    var sources: [Source] = [.header, .query, .cookie, form ? .form : .json]
    switch authorization {
    case .none, .bearerToken: break
    case .basic: sources += [.basic]
    case .apiToken, .header, .bearer: sources += [.token]
    case .custom: sources += [.token, .signer]
    }
    return sources.map(\.mark).joined(separator: ",")
  }

  private func play(_ ending: Ending, _ harness: VirtualHarness<HeldSession>, _ task: WebServiceTask, echo: String)
    async
  {
    let headers = Self.headers(echo)
    func last() -> HeldTransfer? { harness.session.open.last }
    let body = #"{"error": "you sent \#(echo)"}"#
    let aside = "https://srv:\(Source.serverUserInfo.mark)@other.example.com/b?x=\(echo)"
    switch ending {
    case .undecodable, .validator, .large: last()?.respond(200, headers, body: body)
    case .refused: last()?.respond(404, headers, body: body)
    case .unauthorized: last()?.respond(401, headers, body: body)
    case .redirect:
      last()?.respond(302, headers.adding("Location", "\(aside)&token=\(Source.hop.mark)"), body: body)
      last()?.respond(302, ["Location": "https://third.example.com/\(Source.hop.mark)"])
      last()?.respond(500, headers, body: body + Source.hop.mark)
    case .downgrade: last()?.respond(302, ["Location": aside.replacingOccurrences(of: "https", with: "http")])
    case .loop: for index in 0..<30 { last()?.respond(303, ["Location": "\(aside)&y=\(index)"]) }
    case .circle: for _ in 0..<3 { last()?.respond(303, ["Location": aside]) }
    case .invalidLocation: last()?.respond(302, ["Location": "ftp://\(aside)"])
    case .lost:
      last()?.fail(
        URLError(.networkConnectionLost, userInfo: [NSLocalizedDescriptionKey: "at \(aside)", "url": aside]))
    case .message: last()?.fail(TransportError(.other, message: "at \(aside)", mayHaveReachedServer: true))
    case .timeout: harness.clock.advance(by: 60)
    case .deadline:
      last()?.respond(503, headers, body: body)
      harness.clock.advance(by: 90)
    case .cancel: task.cancel()
    case .offline: break
    case .retries:
      for _ in 0..<3 {
        last()?.respond(503, headers, body: body)
        harness.clock.advance(by: 5)
        await harness.settleUserCallbacks()
      }
    }
  }

  private func request(_ authorization: WebServiceAuthorizationType, form: Bool) -> TestRequest {
    let body: RequestBody =
      form
      ? .form([URLQueryItem(name: "password", value: Source.form.mark)]).compressed()
      : .json(["user": ["password": Source.json.mark]])
    return TestRequest(
      path: "https://api.example.com/a", method: .put,
      headers: ["X-Api-Key": Source.header.mark, "Cookie": "sid=\(Source.cookie.mark)"],
      queryItems: [URLQueryItem(name: "access_token", value: Source.query.mark)], body: body,
      authorization: authorization)
  }

  /// All texts that can be printed of a value.
  private static func texts(of value: Any) -> [String] { [printedTexts(of: value)] }

  private func texts(of error: WebServiceError) -> [String] {
    let any: any Error = error
    // An app's own error is printed as it is.
    let parts: [Any?] = [error.response, error.decodingFailure, error.underlying as? any OwnRedaction]
    return parts.compactMap { $0 }.flatMap(Self.texts) + Self.texts(of: error) + Self.texts(of: any)
      + Self.texts(of: WebServiceResult<City>.failure(error))
      + [error.friendlyDescription, error.localizedDescription, any.localizedDescription, "\(error as NSError)"]
  }

  private func expectNoSecret(_ texts: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    for text in texts {
      for source in Source.allCases where text.contains(source.mark.prefix(7)) {
        Issue.record("\(source) stands in: \(text)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: Ending.allCases.map(\.rawValue), [false, true])
  func noEndingPrintsASecret(ending: String, form: Bool) async throws {
    let ending = try #require(Ending(rawValue: ending))
    for authorization in Self.authorizations {
      let lines = Collector<String>()
      let log = RequestLog(level: .debug) { entry in Self.texts(of: entry).forEach(lines.append) }
      let harness = VirtualHarness.held(tokenManager: FakeTokenManager(token: Source.token.mark)) { configuration in
        configuration.monitors.append(log)
        configuration.deadline = ending == .deadline ? 70 : nil
        if ending == .retries || ending == .deadline {
          configuration.retry = RetryPolicy(attemptLimit: 3)
        }
        if ending == .validator {
          configuration.validators.append(ResponseValidator { _ in throw SecretError() })
        }
        if ending == .large { configuration.errorBodyLimit = 40 }
      }
      harness.reachability.set(isConnected: ending != .offline)
      let (task, results) = harness.send(request(authorization, form: form))
      await play(ending, harness, task, echo: Self.echo(authorization, form: form))
      await harness.settleUserCallbacks()
      harness.clock.advance(by: 100)
      await harness.settle()
      let error = try #require(results.elements.first?.error)
      expectEqual(harness.session.transfers.isEmpty, (ending == .offline))
      expectNoSecret(texts(of: error))
      expectNoSecret(lines.elements)
      // Layers and sessions of an app may print a request whose URL a redirect has made.
      expectNoSecret(harness.session.transfers.map { "\($0.request)" })
      #expect(!harness.events.elements.isEmpty)
      for event in harness.events.elements {
        expectNoSecret(Self.texts(of: event) + Self.texts(of: event.kind) + Self.texts(of: event.url))
      }
      expectNoSecret(Self.texts(of: authorization))
    }
  }

  /// Sends a request, ends its transfer, and searches its error.
  private func expectNoSecret(
    in harness: VirtualHarness<HeldSession>, of request: TestRequest, end: (HeldTransfer) -> Void = { _ in }
  ) async throws -> WebServiceError {
    let (_, results) = harness.send(request)
    harness.session.open.last.map(end)
    await harness.settleUserCallbacks()
    await harness.settle()
    let error = try #require(results.elements.first?.error)
    expectNoSecret(texts(of: error))
    return error
  }

  @Test func partsOfAnErrorHideWhatTheErrorHides() async throws {
    let mark = Source.json.mark
    let problem: HTTPHeaders = ["Content-Type": "application/problem+json"]
    let harness = VirtualHarness.held { $0.redaction = Redaction(headerNames: ["X-Own"], fieldNames: ["iban"]) }
    let endings: [(HeldTransfer) -> Void] = [
      { $0.respond(200, ["X-Own": mark, "Cookie": mark], body: #"{"iban": "\#(mark)", "name": 17}"#) },
      { $0.respond(200, body: #"{"name": {"iban": "\#(mark)"}}"#) },
      { $0.respond(200, body: #""The string is cut, it is \#(mark)""#) },
      { $0.respond(200, body: #""iban": "\#(Source.form.mark)""#) },
      { $0.respond(400, problem, body: #"{"detail": "the iban: \#(mark)"}"#) },
      { $0.respond(302, ["Location": "https://api.example.com/a?iban=\(mark)"]) },
      { $0.fail(TransportError(.other, message: "iban=\(mark)", mayHaveReachedServer: true)) },
    ]
    for end in endings {
      let request = TestRequest(path: "https://api.example.com/a?iban=\(mark)")
      let error = try await expectNoSecret(in: harness, of: request, end: end)
      #expect("\(error)".contains(Redaction.placeholder))
    }
  }

  @Test func errorOfTheLibraryThatAnAppThrowsHidesWhatItsErrorHides() async throws {
    let mark = Source.header.mark
    let harness = VirtualHarness.held {
      $0.redaction = Redaction(headerNames: ["X-Own"])
      $0.validators = [
        ResponseValidator { throw WebServiceError(.invalidResponse, message: "not \(mark)", response: $0) }
      ]
    }
    let error = try await expectNoSecret(in: harness, of: TestRequest(headers: ["X-Own": mark])) {
      $0.respond(200, ["X-Own": Source.form.mark], body: "you sent \(mark)")
    }
    expectNoSecret(Self.texts(of: error.underlying as Any))
    expectNoSecret(Self.texts(of: error.underlying(as: WebServiceError.self)?.response as Any))
    #expect("\(error)".contains("not <redacted>"))
    // The error of another request knows its own secrets.
    var other = WebServiceError(.invalidResponse, message: "not \(Source.json.mark)")
    other.redaction = Redaction.standard.hiding(and: [Source.json.mark])
    let options = RequestOptions { [other] in $0.validators = [ResponseValidator { _ in throw other }] }
    _ = try await expectNoSecret(in: VirtualHarness.held(), of: TestRequest(options: options)) { $0.respond() }
  }

  /// The credentials of a request that waits for nothing are attached while it is described.
  @Test func requestWithATokenAtOncePrintsNoSecret() {
    let tokens = BasicAuthManager()
    tokens.update(apiToken: Source.token.mark, secondsRemaining: 3600)
    let harness = VirtualHarness.held(tokenManager: tokens)
    harness.send(authorization: .header(named: "X-Odd"))
    expectEqual(harness.session.open.map { $0.request.headers["X-Odd"] }, [Source.token.mark])
    // Layers and sessions of an app may print a request.
    expectNoSecret(harness.session.open.map { "\($0.request)" })
    harness.session.respondToAll()
  }

  @Test func unsentRequestPrintsNoSecret() async throws {
    let tokenless = VirtualHarness.held(tokenManager: FakeTokenManager(error: SecretError()))
    let signer = RequestSigner(named: "test", needsToken: false) { _, _ in throw SecretError() }
    let mark = Source.userInfo.mark
    let requests = [
      TestRequest(path: "https://u:\(mark)@[bad/a?token=\(Source.query.mark)"),
      TestRequest(path: "ftp://u:\(mark)@api.example.com/a?password=\(Source.query.mark)"),
      TestRequest(headers: ["X-Api-Key": "\(Source.header.mark)\r\nX: y"]),
      TestRequest(authorization: .bearer), TestRequest(authorization: .custom(signer)),
      TestRequest(authorization: .basic(user: "a:b", password: Source.basic.mark)),
    ]
    for request in requests { _ = try await expectNoSecret(in: tokenless, of: request) }
    for event in tokenless.events.elements { expectNoSecret(Self.texts(of: event)) }
  }
}
