@testable import WebServicesTestSupport
@testable import WebServicesTransport
@testable import WebServicesCore

/// Makes each public type that can hold secrets with a secret in every place, and prints it in every way.
@Suite struct DescribedValuesTests {
  private static let mark = "Zq7Xw9Kv2Lm4"

  /// All texts that can be printed of a value.
  private func texts(of value: some Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped, "\([value])", "\(Optional(value) as Any)"]
  }

  private func expectNoSecret(
    in value: some Any, shows word: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for text in texts(of: value) {
      // `dump` shows the bytes of a short `Data` as numbers.
      #expect(!text.contains("Zq7") && !text.contains("90") && text.contains(word), sourceLocation: sourceLocation)
    }
  }

  private let headers: HTTPHeaders = [
    "Authorization": "Bearer \(mark)", "Cookie": "sid=\(mark)", "X-Echo": "password=\(mark)", "Accept": "text/csv",
  ]

  private let url = testURL("https://me:\(mark)@h.example/p?token=\(mark)&x=1")
  private let body = TransportBody.data(Data(#"{"token":"\#(mark)"}"#.utf8))

  @Test func headerFieldsHideSecrets() {
    expectNoSecret(in: headers, shows: "text/csv")
    for field in headers { expectNoSecret(in: field, shows: field.name) }
  }

  @Test func requestsHideSecrets() throws {
    let plain = TransportRequest(method: .put, url: url, headers: headers, body: body)
    expectNoSecret(in: plain, shows: "PUT")
    expectNoSecret(in: plain, shows: "h.example/p")
    var authorized = plain
    authorized.headers["X-Odd"] = Self.mark
    authorized.options.secrets = [Self.mark]
    expectNoSecret(in: authorized, shows: "X-Odd")
    expectNoSecret(in: body, shows: "24 bytes")
    expectNoSecret(in: TransportBody.stream(PieceStream([Self.mark])), shows: "stream")
    expectNoSecret(in: MultipartBody([.field("token", Self.mark)], boundary: "feather"), shows: "token")
    expectNoSecret(in: ["token": Self.mark] as JSONLiteral, shows: "1 values")
    expectNoSecret(in: RequestBody.form([URLQueryItem(name: "token", value: Self.mark)]), shows: "form")
  }

  @Test func requestsOfAnAppHideSecrets() throws {
    for path in [
      "http://me:\(Self.mark)@h.example/p", "http://\(Self.mark)@h.example?x", "http://me:\(Self.mark)@h.example",
      "https://h.example/p;token=\(Self.mark)", "https://h.example/p?x=\(Self.mark)",
      "https://h.example?\u{301}x=\(Self.mark)", "https://h.example/#access_token=\(Self.mark)",
    ] {
      let request = Request(path, .put)
      expectNoSecret(in: request, shows: "PUT http")
      expectNoSecret(in: request, shows: "h.example")
      let items = [URLQueryItem(name: "token", value: Self.mark)]
      let resource = BackendResource<Void, Void, NoAuth>(
        path: .api(Backend("shop"), path), method: .put, queryItems: items, content: .none, parser: .nothing)
      expectNoSecret(in: resource, shows: "PUT shop http")
    }
    expectNoSecret(in: Endpoint(url: url, parser: .nothing), shows: "GET https://<redacted>@h.example/p")
    let oauth = OAuth2(tokenURL: url, client: OAuth2.Client(id: "app"))
    expectNoSecret(in: oauth.tokenRequest(.clientCredentials), shows: "POST https://<redacted>@h.example/p")
    expectEqual("\(Request("jokes/7?\u{1B}"))", "GET jokes/7")
    expectEqual("\(Request("jokes/\u{1B}"))", #"GET jokes/\u{1b}"#)
  }

  @Test func responsesAndErrorsHideSecrets() throws {
    let response = WebServiceResponse(statusCode: 418, headers: headers, url: url, body: Data(Self.mark.utf8))
    expectNoSecret(in: response, shows: "418")
    let error = TransportError(
      .connectionLost, message: "at \(url)", mayHaveReachedServer: true, response: response,
      underlying: URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: Self.mark]))
    expectNoSecret(in: error, shows: "connectionLost")
    expectEqual("\(TransportError.unsent(.timedOut(.connect), "too slow"))", "timedOut(connect): too slow")
    expectNoSecret(in: error as any Error, shows: "418")
    expectNoSecret(in: Result<WebServiceResponse, TransportError>.failure(error), shows: "418")
    let own = WebServiceResponse(statusCode: 418, url: testURL("https://h/p?ssn=\(Self.mark)"))
    var named = TransportError(.truncated, message: "", mayHaveReachedServer: true, response: own)
    named.redaction = DescriptionRedaction(Redaction(fieldNames: ["ssn"]))
    expectNoSecret(in: try #require(named.response), shows: "418")
  }

  @Test func redirectErrorsHideSecrets() {
    let error = RedirectPolicy.Refusal(reason: .loop, chain: [url, url])
    expectNoSecret(in: error, shows: "loop")
    expectNoSecret(in: error as any Error, shows: "h.example/p")
    let own = testURL("https://h/p?ssn=\(Self.mark)")
    var refused = RedirectPolicy.Refusal(reason: .tooMany, chain: [own])
    refused.redaction = DescriptionRedaction(Redaction(fieldNames: ["ssn"]))
    expectNoSecret(in: refused, shows: "too many")
    #expect(refused == RedirectPolicy.Refusal(reason: .tooMany, chain: [own]), "what is hidden doesn't count")
    #expect(Set([refused]).contains(RedirectPolicy.Refusal(reason: .tooMany, chain: [own])))
  }

  @Test func errorMessagesHideSecrets() throws {
    let redirect = RedirectPolicy.Refusal(reason: .downgrade, chain: [url])
    for words in [redirect.description, "see \(url)", "you sent password=\(Self.mark)"] {
      let error = WebServiceError(.redirect, url: url.absoluteString, message: words, underlying: redirect)
      #expect(!error.message.contains("Zq7"))
      expectNoSecret(in: error, shows: "redirect")
    }
    var error = WebServiceError(.unexpected, message: "it was \(Self.mark)")
    error.redaction = Redaction.standard.hiding(and: [Self.mark])
    expectEqual(error.message, "it was <redacted>")
  }

  @Test func configurationsHideSecrets() throws {
    var configuration = WebServiceConfiguration(baseURL: url, headers: headers)
    configuration.queryItems = ["api_key", "ssn"].map { URLQueryItem(name: $0, value: Self.mark) }
    configuration.headers["X-Own"] = Self.mark
    configuration.redaction = Redaction(headerNames: ["X-Own"], fieldNames: ["ssn"])
    expectNoSecret(in: configuration, shows: "h.example")
    let service = JsonWebService(
      session: MockURLSession(), tokenManager: FakeTokenManager(token: Self.mark), reachability: FakeReachability(),
      configuration: configuration)
    for text in texts(of: service) { #expect(!text.contains("Zq7")) }
  }

  #if os(Linux)
    @Test func proxyAndKeyPasswordsAreHidden() throws {
      typealias Configuration = TransportConfiguration
      for address in ["http://me:\(Self.mark)@proxy:1", "me:\(Self.mark)@proxy:1", "http://me:Zq7@Zq7@proxy:1"] {
        expectNoSecret(in: Configuration.Proxy.url(address), shows: "proxy:1")
        let environment = ["http_proxy": address, "HTTPS_PROXY": address]
        expectNoSecret(in: CurlProxySettings(.system, environment: environment), shows: "proxy:1")
        var configuration = Configuration()
        configuration.proxy = .url(address)
        for certificate in [
          Configuration.ClientCertificate.pem(certificatePath: "/a.pem", keyPath: "/k.pem", password: Self.mark),
          .pkcs12(path: "/k.pem", password: Self.mark),
        ] {
          configuration.clientCertificate = certificate
          expectNoSecret(in: certificate, shows: "/k.pem")
          expectNoSecret(in: configuration, shows: "proxy:1")
        }
        let error = #expect(throws: Configuration.InvalidSetting.self) { try DefaultSession.make(configuration) }
        for text in error.map(texts) ?? [] { #expect(!text.contains("Zq7")) }
        let session = try CurlSession(configuration, library: CurlLibrary.found.get())
        for text in texts(of: session) { #expect(!text.contains("Zq7")) }
      }
    }

    @Test(arguments: [
      "http://me:Zq7Xw9@no-such-proxy.invalid:3128", "http://me:Zq7@Zq7@no-such-proxy.invalid", "me:Zq7Xw9@:port",
      "http://me:Zq7#Xw9@127.0.0.1:1", "http://me:Zq7 Xw9@127.0.0.1:1", "odd://me:Zq7Xw9@127.0.0.1:1",
      "http://me:Zq7Xw9@127.0.0.1:99999", "http://me:Zq7Xw9@[::1", "http://me:Zq7Xw9@127.0.0.1:1",
    ])
    func unusableProxyHidesItsPassword(address: String) async throws {
      var configuration = TransportConfiguration()
      configuration.proxy = .url(address)
      configuration.timeouts.connect = 5
      do throws(TransportConfiguration.InvalidSetting) { try configuration.check() } catch {
        for text in texts(of: error) { #expect(!text.contains("Zq7") && !text.contains("Xw9")) }
      }
      // libcurl's message has no password either.
      let session = try CurlSession(configuration, library: CurlLibrary.found.get())
      defer { session.invalidateAndCancel() }
      let request = TransportRequest(url: testURL("http://h.invalid/p?token=Zq7"))
      let task = Locked<(any URLSessionTaskProtocol)?>(nil)
      let result = await withCheckedContinuation { continuation in
        let made = session.transferTask(with: request) { continuation.resume(returning: $0) }
        task.withLock { $0 = made }
        made.resume()
      }
      let error = try #require(result.error)
      #expect(!error.message.isEmpty)
      let underlying = error.underlying.map { "\($0) \($0 as NSError)" } ?? ""
      let words = [error.message, underlying, "\(error.foundation)", "\(error.foundation.userInfo)"]
      // The session keeps the handle of libcurl, which has the proxy's address.
      let ofTask = task.withLock { $0 }.map { texts(of: $0) } ?? []
      for text in texts(of: error) + words + texts(of: session) + ofTask {
        #expect(!text.contains("Zq7") && !text.contains("Xw9"))
      }
    }
  #endif

  private struct SignIn: WebServiceRequestData {
    let path = "https://h.example/p"
    let password = mark
  }

  @Test func requestsInProgressHideSecrets() throws {
    let service = JsonWebService(session: HeldSession(), reachability: FakeReachability())
    let task = service.sendRequest(SignIn(), parser: .nothing, callbackQueue: .global()) { _ in }
    let run = RequestRun(SignIn(), accept: "*/*", engine: service.engine)
    let events = service.serverSentEvents(SignIn())
    for text in texts(of: task) + texts(of: run) + texts(of: events) { #expect(!text.contains("Zq7")) }
    service.invalidateAndCancel()
  }

  @Test func sessionsAndOptionsHideSecrets() throws {
    let configuration = URLSessionConfiguration.webServices
    configuration.connectionProxyDictionary = ["Password": Self.mark]
    configuration.httpAdditionalHeaders = ["X-Api-Key": Self.mark]
    let options = RequestOptions { $0.secrets = [Self.mark] }
    for text in texts(of: FoundationSession(configuration: configuration)) + texts(of: options) {
      #expect(!text.contains("Zq7"))
    }
  }

  @Test(arguments: [
    ("Could not resolve proxy: Zq7@Zq7@h", "Could not resolve proxy: <redacted>@h"),
    ("in 'http://u:p@h:1/': x", "in 'http://<redacted>@h:1/': x"), ("no address", "no address"),
    ("@h", "<redacted>@h"), ("", ""),
  ])
  func addressesInTextLoseUserInfo(words: String, expected: String) {
    expectEqual(TransportMessage.withoutUserInfo(words), expected)
  }
}
