@testable import WebServices
@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct ServerTests {
  private enum ShopError: Error, Equatable {
    case notPaid
    case other(Int?)
  }

  private static let city = City(name: "Bath")

  private func backend(_ method: HTTPMethod = .get, _ responses: MockResponse...) -> MockBackend {
    MockBackend { session in responses.forEach { session.script(method, "/api/cities", $0) } }
  }

  @Test func requestCombinesConfigurationAndCall() async throws {
    let backend = backend(.post, .json(#"{"name": "Bath"}"#))
    let server = Server(
      with: backend.config {
        $0.headers = ["Authorization": "Bearer s3cr3t", "X-Client": "config"]
        $0.query = ["lang": "en", "page": "1"]
        $0.service = { $0.headers["User-Agent"] = "watched" }
      })
    let city = try await server.request(
      type: .post, path: "/cities?all&lang=de", headers: ["x-client": "call"], query: ["page": "2 & 3", "a": "b"],
      send: .json(Self.city), take: .json(City.self))
    expectEqual(city, Self.city)
    let request = try #require(backend.session?.requests.first)
    expectEqual(request.url?.absoluteString, "https://backend.example.com/api/cities?all&lang=de&a=b&page=2%20%26%203")
    expectEqual(
      ["Authorization", "X-Client", "User-Agent", "Content-Type"].map { request.value(forHTTPHeaderField: $0) },
      ["Bearer s3cr3t", "call", "watched", "application/json"])
    expectEqual(try JSONDecoder().decode(City.self, from: request.httpBody ?? Data()), Self.city)
  }

  @Test func callsBaseURLOverridesTheConfiguredOne() async throws {
    let backend = MockBackend { $0.script(.get, "/v2/cities", .json(#"{"name": "Bath"}"#)) }
    let values: @Sendable (inout Server.Config) -> Void = { config in
      config.headers = ["X-Unknown": "s3cr3t", "Accept-Language": "de"]
      config.query = ["api_key": "s3cr3t"]
    }
    let server = Server(with: backend.config(values))
    let base = URL(string: "https://other.example.com/v2")
    expectEqual(try await server.request(type: .get, base: base, path: "cities", take: .json(City.self)), Self.city)
    let request = try #require(backend.session?.requests.first)
    expectEqual(request.url?.absoluteString, "https://other.example.com/v2/cities")
    expectEqual(request.value(forHTTPHeaderField: "X-Unknown"), nil)
    expectEqual(request.value(forHTTPHeaderField: "Accept-Language"), "de")
    let homeless = [true, false].map { hasQuery in
      backend.config { config in
        values(&config)
        if hasQuery { config.headers = [:] } else { config.query = [:] }
        config.base = nil
        config.service = { $0.redaction = Redaction(fieldNames: ["shop"]) }
      }
    }
    let plain = Server(with: backend.config { $0.base = nil })
    expectEqual(try await plain.request(type: .get, base: base, path: "cities", take: .json(City.self)), Self.city)
    for (config, base, path, message) in [
      (homeless[0], base, "cities?shop=s3cr3t", "set its base"),
      (homeless[1], base, "cities?shop=s3cr3t", "set its base"),
      (backend.config(), nil, "https://evil.example.com/cities", "absolute"),
      (backend.config { $0.base = nil }, nil, "cities", "the configuration has no base URL"),
      (backend.config(), nil, "cities/\(segment: "..")", "a path parameter is"),
    ] {
      let error = await thrown {
        try await Server(with: config).request(type: .put, base: base, path: path, take: .void())
      }
      expectEqual(error?.kind, .badURL)
      expectEqual(error?.method, .put)
      expectEqual(error?.description.contains("s3cr3t"), false)
      #expect(error?.message.contains(message) == true, "\(path)")
    }
  }

  @Test func eachKindOfBodyIsSent() async throws {
    let file = try TemporaryFile(Data("file".utf8), name: "file.txt")
    defer { withExtendedLifetime(file) {} }
    let backend = backend(.post, .status(204))
    let server = Server(with: backend.config { $0.service = { $0.queryEncoder.arrays = .brackets } })
    let bodies: [(Server.Send, String)] = [
      (.void(), "none "), (.text("ü"), "text/plain ü"), (.data(Data("a".utf8), type: "image/png"), "image/png a"),
      (.form(["b": "2 &", "a": "1"]), "application/x-www-form-urlencoded a=1&b=2+%26"),
      (.form(["a": ["1"]]), "application/x-www-form-urlencoded a%5B%5D=1"),
      (.form(["a": ["1"]], encoder: QueryEncoder()), "application/x-www-form-urlencoded a=1"),
      (.multipart(.field("title", "Lunch")), "multipart/form-data --"), (.file(file.url), "text/plain file"),
      (.file(file.url, type: "image/png"), "image/png file"),
    ]
    for (send, expected) in bodies {
      try await server.request(type: .post, path: "cities", send: send, take: .void())
      let request = try #require(backend.session?.requests.last)
      let type = request.value(forHTTPHeaderField: "Content-Type") ?? "none"
      let sent = "\(type.prefix { $0 != ";" }) \(String(decoding: request.httpBody ?? Data(), as: UTF8.self))"
      #expect(sent.hasPrefix(expected))
    }
  }

  @Test func eachKindOfResponseIsTaken() async throws {
    let latin: HTTPHeaders = ["Content-Type": "text/plain; charset=iso-8859-1", "X-Id": "7"]
    let malformed = MockResponse.data(Data([0xFC]))
    let backend = backend(.get, .data(Data([0xFC]), headers: latin), .data(Data("ü".utf8)), malformed, .status(404))
    let server = Server(with: backend.config())
    func take<R: Sendable>(_ take: Server.Take<R>) async throws -> R {
      try await server.request(type: .get, path: "cities", take: take)
    }
    let (response, text) = try await take(.response(with: .text()))
    expectEqual((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Id"), "7")
    expectEqual(text, "ü")
    let accept = backend.session?.requests.last?.value(forHTTPHeaderField: "Accept")
    expectEqual(accept, "text/plain, text/*;q=0.9, */*;q=0.5")
    expectEqual(try await take(.text()), "ü")
    expectEqual(await thrown { try await take(.text()) }?.kind, .undecodableBody)
    let counted = Server.Take.custom { $0.body.count }
    expectEqual(try await take(counted.mapping(404, to: -1)), -1)
    expectEqual(try await take(.optional(.json(City.self), on: 404)), nil)
    expectEqual(try await take(counted.mapping(404, 410, with: .custom { $0.statusCode })), 404)
  }

  @Test func codersRequestsAndResponsesAreAdjusted() async throws {
    struct Visit: Codable, Equatable, Sendable {
      var date: Date
    }
    let backend = backend(.post, .json(#"{"date": 7}"#), .json(#"{"date": 7}"#, headers: ["X-Maintenance": "yes"]))
    let server = Server(
      with: backend.config {
        $0.encoder = { $0.dateEncodingStrategy = .secondsSince1970 }
        $0.decoder = { $0.dateDecodingStrategy = .secondsSince1970 }
        $0.request = { $0.headers["X-Signature"] = "\($0.method) \($0.queryItems.count)" }
        $0.check.append(
          ResponseValidator { response in
            guard response.headers["X-Maintenance"] == nil else { throw ShopError.notPaid }
          })
      })
    let visit = Visit(date: Date(timeIntervalSince1970: 7))
    expectEqual(
      try await server.request(type: .post, path: "cities", send: .json(visit), take: .json(Visit.self)), visit)
    let request = try #require(backend.session?.requests.first)
    expectEqual(request.httpBody, Data(#"{"date":7}"#.utf8))
    expectEqual(request.value(forHTTPHeaderField: "X-Signature"), "POST 0")
    let error = await thrown { try await server.request(type: .post, path: "cities", take: .json(Visit.self)) }
    expectEqual(error?.underlying(as: ShopError.self), .notPaid)
  }

  @Test func callsCatcherRunsBeforeTheConfiguredOne() async throws {
    let backend = backend(.get, .status(402))
    let server = Server(with: backend.config { $0.catcher = { ShopError.other($0.statusCode) } })
    func result(_ catcher: Server.Catcher<[City]>?, of server: Server) async -> String {
      do {
        _ = try await server.request(type: .get, path: "cities", take: .json([City].self), catch: catcher)
        return "value"
      } catch {
        return (error as? WebServiceError).map { "\($0.kind)" } ?? "\(error)"
      }
    }
    expectEqual(await result(nil, of: Server(with: backend.config())), "statusCode(402)")
    expectEqual(await result(nil, of: server), "other(Optional(402))")
    expectEqual(await result(.value([], on: 402, 404), of: server), "value")
    expectEqual(await result(.value([], on: 404), of: server), "statusCode(402)")
    expectEqual(await result(.error { _ in ShopError.notPaid }, of: server), "notPaid")
  }

  @Test func completionsRunOnTheNamedOrMainQueue() async throws {
    let backend = backend(.get, .json(#"{"name": "Bath"}"#), .status(402))
    let server = Server(with: backend.config { $0.catcher = { ShopError.other($0.statusCode) } })
    let results = Collector<Result<City, any Error>>()
    server.request(type: .get, path: "cities", take: .json(City.self)) { result in
      dispatchPrecondition(condition: .onQueue(.main))
      results.append(result)
    }
    expectEqual(try await results.elements(1).last?.get(), Self.city)
    let queue = DispatchQueue(label: "named")
    for (path, status) in [("cities", 402), ("https://evil.example.com", nil)] {
      let count = results.elements.count + 1
      server.request(type: .get, path: path, take: .json(City.self), callbackQueue: queue) { result in
        dispatchPrecondition(condition: .onQueue(queue))
        results.append(result)
      }
      await results.waitForElements(count)
      #expect(throws: ShopError.other(status)) { try results.elements.last?.get() }
    }
  }

  @Test func callsTimeoutOverridesTheConfiguredOne() async throws {
    let backend = backend(.get, .never)
    let server = Server(with: backend.config { $0.timeout = 5 })
    let adjusting = Server(with: backend.config { $0.request = { $0.options.timeout = 0.25 } })
    let kinds = Collector<WebServiceError.Kind?>()
    for (server, timeout) in [(server, nil), (server, 0.25), (adjusting, nil)] as [(Server, TimeInterval?)] {
      server.request(type: .get, path: "cities", timeout: timeout, take: .void(), callbackQueue: .global()) { result in
        if case .failure(let error as WebServiceError) = result { kinds.append(error.kind) }
      }
    }
    await backend.clock.waitForTimers(3)
    for (count, seconds) in [(2, 0.25), (3, 4.75)] {
      backend.clock.advance(by: seconds)
      await kinds.waitForElements(count)
      expectEqual(server.requestCount, 3 - count)
    }
    expectEqual(kinds.elements, [.timedOut, .timedOut, .timedOut])
  }

  @Test func cancellationBypassesCatchers() async throws {
    let backend = backend(.get, .never)
    let server = Server(with: backend.config { $0.catcher = { _ in ShopError.notPaid } })
    let results = Collector<Result<Data, any Error>>()
    let task = server.request(
      type: .get, path: "cities", take: .data(), catch: .init { _ in Data() }, callbackQueue: .global()
    ) {
      results.append($0)
    }
    await backend.session?.waitForRequests(1)
    task.cancel()
    expectEqual((await results.elements(1).first?.failure as? WebServiceError)?.kind, .cancelled)
    expectEqual(server.requestCount, 0)
  }

  @Test func descriptionsHoldNoValueOfTheUser() throws {
    let config = Server.Config(
      base: URL(string: "https://user:s3cr3t@backend.example.com/s3cr3t"), headers: ["Authorization": "Bearer s3cr3t"],
      query: ["key": "s3cr3t"])
    expectEqual("\(config)", "https://backend.example.com, with Authorization, key")
    #expect(!printedTexts(of: config).contains("s3cr3t"))
  }

  // MARK: Requests as they are

  @Test func rawRequestAndResponseStayUnchanged() async throws {
    let backend = MockBackend { $0.script(.put, "/raw", .data(Data("abc".utf8), status: 500)) }
    let server = Server(
      with: backend.config {
        $0.headers = ["Authorization": "s3cr3t"]
        $0.query = ["lang": "en"]
      })
    var request = URLRequest(url: try #require(URL(string: "https://other.example.com/raw?q=1")))
    request.httpMethod = "PUT"
    request.httpBody = Data("body".utf8)
    request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
    let (data, response) = try await server.raw(with: request)
    expectEqual(data, Data("abc".utf8))
    expectEqual((response as? HTTPURLResponse)?.statusCode, 500)
    let sent = try #require(backend.session?.requests.first)
    expectEqual(sent.url?.absoluteString, "https://other.example.com/raw?q=1")
    expectEqual(sent.value(forHTTPHeaderField: "Authorization"), nil)
    expectEqual(sent.value(forHTTPHeaderField: "Content-Type"), "text/plain")
    expectEqual(sent.httpBody, Data("body".utf8))
  }

  @Test func rawRequestMayStreamAndNeedsAURL() async throws {
    let loopback = try LoopbackServer.forTest()
    loopback.route(.put, "/raw") { .text($0.text) }
    let server = Server(with: .init(base: nil))
    var request = URLRequest(url: loopback.url("/raw"))
    request.httpMethod = "PUT"
    request.httpBodyStream = InputStream(data: Data("stream".utf8))
    request.timeoutInterval = 7
    let outgoing = Server.OutgoingRequest(request)
    #expect(outgoing.body?.isReplayable == false && outgoing.options.timeout == 7)
    expectEqual(try await server.raw(with: request).0, Data("stream".utf8))
    request.url = nil
    let withoutURL = request
    expectEqual(await thrown { try await server.raw(with: withoutURL) }?.kind, .badURL)
  }
}
