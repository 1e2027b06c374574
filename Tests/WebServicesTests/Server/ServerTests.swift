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
      type: .post, path: "/cities?all", headers: ["x-client": "call"], query: ["page": "2 & 3", "a": "b"],
      send: .json(Self.city), take: .json(City.self))
    expectEqual(city, Self.city)
    let request = try #require(backend.session?.requests.first)
    expectEqual(request.url?.absoluteString, "https://backend.example.com/api/cities?all&a=b&lang=en&page=2%20%26%203")
    expectEqual(request.value(forHTTPHeaderField: "Authorization"), "Bearer s3cr3t")
    expectEqual(request.value(forHTTPHeaderField: "X-Client"), "call")
    expectEqual(request.value(forHTTPHeaderField: "User-Agent"), "watched")
    expectEqual(request.value(forHTTPHeaderField: "Content-Type"), "application/json")
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
    expectEqual(backend.session?.requests.first?.url?.absoluteString, "https://other.example.com/v2/cities")
    expectEqual(backend.session?.requests.first?.value(forHTTPHeaderField: "X-Unknown"), nil)
    expectEqual(backend.session?.requests.first?.value(forHTTPHeaderField: "Accept-Language"), "de")
    let homeless = Server(
      with: backend.config { config in
        values(&config)
        config.base = nil
      })
    let unbound = await #expect(throws: WebServiceError.self) {
      try await homeless.request(type: .get, base: base, path: "cities", take: .void())
    }
    expectEqual(unbound?.message.contains("set its base"), true)
    let error = await #expect(throws: WebServiceError.self) {
      try await server.request(type: .get, path: "https://evil.example.com/cities", take: .void())
    }
    expectEqual(error?.kind, .badURL)
    let nowhere = Server(with: backend.config { $0.base = nil })
    let missing = await #expect(throws: WebServiceError.self) {
      try await nowhere.request(type: .get, path: "cities", take: .void())
    }
    expectEqual(missing?.message, "the configuration has no base URL")
  }

  @Test func dataIsSentAndStatusesAreMapped() async throws {
    let backend = backend(.put, .data(Data("abc".utf8), headers: ["X-Id": "7"]), .status(404))
    let server = Server(with: backend.config())
    let (response, data) = try await server.request(
      type: .put, path: "cities", send: .data(Data([1]), type: "image/png"), take: .response(with: .data()))
    expectEqual((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Id"), "7")
    expectEqual(data, Data("abc".utf8))
    expectEqual(backend.session?.requests.first?.value(forHTTPHeaderField: "Content-Type"), "image/png")
    let counted = Server.Take.custom { $0.body.count }
    expectEqual(try await server.request(type: .put, path: "cities", take: counted.mapping(404, to: -1)), -1)
    expectEqual(try await server.request(type: .put, path: "cities", take: .optional(.json(City.self), on: 404)), nil)
    let read = counted.mapping(404, 410, with: .custom { $0.statusCode })
    expectEqual(try await server.request(type: .put, path: "cities", take: read), 404)
  }

  @Test func textFormsPartsAndFilesAreSent() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
    try Data("file".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let backend = backend(.post, .status(204))
    let server = Server(with: backend.config())
    func sent(_ send: Server.Send) async throws -> String {
      try await server.request(type: .post, path: "cities", send: send, take: .void())
      let request = try #require(backend.session?.requests.last)
      let type = request.value(forHTTPHeaderField: "Content-Type") ?? "none"
      return "\(type.prefix { $0 != ";" }) \(String(decoding: request.httpBody ?? Data(), as: UTF8.self))"
    }
    expectEqual(try await sent(.text("ü")), "text/plain ü")
    expectEqual(try await sent(.form(["b": "2 &", "a": "1"])), "application/x-www-form-urlencoded a=1&b=2+%26")
    #expect(try await sent(.multipart(.field("title", "Lunch"))).hasPrefix("multipart/form-data "))
    #expect(try await sent(.file(file)).hasPrefix("text/plain "))
    #expect(try await sent(.file(file, type: "image/png")).hasPrefix("image/png "))
  }

  @Test func textFollowsTheCharsetAndMalformedTextFails() async throws {
    let latin: HTTPHeaders = ["Content-Type": "text/plain; charset=iso-8859-1"]
    let backend = backend(
      .get, .data(Data([0xFC]), headers: latin), .data(Data("ü".utf8)),
      .data(Data([0xFC])))
    let server = Server(with: backend.config())
    expectEqual(try await server.request(type: .get, path: "cities", take: .text()), "ü")
    let accept = backend.session?.requests.last?.value(forHTTPHeaderField: "Accept")
    expectEqual(accept, "text/plain, text/*;q=0.9, */*;q=0.5")
    expectEqual(try await server.request(type: .get, path: "cities", take: .text()), "ü")
    let error = await #expect(throws: WebServiceError.self) {
      try await server.request(type: .get, path: "cities", take: .text())
    }
    expectEqual(error?.kind, .undecodableBody)
  }

  @Test func codersRequestsAndResponsesAreAdjusted() async throws {
    struct Visit: Codable, Equatable, Sendable {
      var date: Date
    }
    let backend = backend(
      .post, .json(#"{"date": 7}"#), .json(#"{"date": 7}"#, headers: ["X-Maintenance": "yes"]))
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
    let error = await #expect(throws: WebServiceError.self) {
      try await server.request(type: .post, path: "cities", take: .json(Visit.self))
    }
    expectEqual(error?.underlying(as: ShopError.self), .notPaid)
  }

  @Test func callsCatcherRunsBeforeTheConfiguredOne() async throws {
    let backend = backend(.get, .status(402))
    let plain = Server(with: backend.config())
    let error = await #expect(throws: WebServiceError.self) {
      try await plain.request(type: .get, path: "cities", take: .void())
    }
    expectEqual(error?.kind, .statusCode(402))
    let server = Server(with: backend.config { $0.catcher = { ShopError.other($0.statusCode) } })
    await #expect(throws: ShopError.other(402)) {
      try await server.request(type: .get, path: "cities", take: .void())
    }
    expectEqual(
      try await server.request(type: .get, path: "cities", take: .json([City].self), catch: .value([], on: 402, 404)),
      [])
    await #expect(throws: WebServiceError.self) {
      try await server.request(type: .get, path: "cities", take: .json([City].self), catch: .value([], on: 404))
    }
    await #expect(throws: ShopError.notPaid) {
      try await server.request(type: .get, path: "cities", take: .void(), catch: .error { _ in ShopError.notPaid })
    }
  }

  @Test func completionsRunOnTheNamedOrMainQueue() async throws {
    let backend = backend(.get, .json(#"{"name": "Bath"}"#), .status(402))
    let server = Server(with: backend.config { $0.catcher = { ShopError.other($0.statusCode) } })
    let results = Collector<Result<City, any Error>>()
    server.request(type: .get, path: "cities", take: .json(City.self)) { result in
      dispatchPrecondition(condition: .onQueue(.main))
      results.append(result)
    }
    await results.waitForElements(1)
    expectEqual(try results.elements.last?.get(), Self.city)
    let queue = DispatchQueue(label: "named")
    server.request(type: .get, path: "cities", take: .json(City.self), callbackQueue: queue) { result in
      dispatchPrecondition(condition: .onQueue(queue))
      results.append(result)
    }
    await results.waitForElements(2)
    #expect(throws: ShopError.other(402)) { try results.elements.last?.get() }
    server.request(type: .get, path: "https://evil.example.com", take: .json(City.self), callbackQueue: queue) {
      results.append($0)
    }
    await results.waitForElements(3)
    #expect(throws: ShopError.other(nil)) { try results.elements.last?.get() }
  }

  @Test func callsTimeoutOverridesTheConfiguredOne() async throws {
    let backend = backend(.get, .never)
    let server = Server(with: backend.config { $0.timeout = 5 })
    let kinds = Collector<WebServiceError.Kind?>()
    for timeout in [nil, 0.25] {
      server.request(type: .get, path: "cities", timeout: timeout, take: .void(), callbackQueue: .global()) { result in
        if case .failure(let error as WebServiceError) = result { kinds.append(error.kind) }
      }
    }
    await backend.session?.waitForRequests(2)
    await backend.clock.waitForTimers(2)
    backend.clock.advance(by: 0.25)
    await kinds.waitForElements(1)
    expectEqual(server.requestCount, 1)
    backend.clock.advance(by: 4.75)
    await kinds.waitForElements(2)
    expectEqual(kinds.elements, [.timedOut, .timedOut])
    expectEqual(server.requestCount, 0)
  }

  @Test func cancellationBypassesCatchers() async throws {
    let backend = backend(.get, .never)
    let server = Server(with: backend.config { $0.catcher = { _ in ShopError.notPaid } })
    let task = Task {
      try await server.request(type: .get, path: "cities", take: .data(), catch: .init { _ in Data() })
    }
    await backend.session?.waitForRequests(1)
    task.cancel()
    let error = await #expect(throws: WebServiceError.self) { try await task.value }
    expectEqual(error?.kind, .cancelled)
    let results = Collector<Result<Void, any Error>>()
    let handle = server.request(type: .get, path: "cities", take: .void(), callbackQueue: .global()) {
      results.append($0)
    }
    await backend.session?.waitForRequests(2)
    handle.cancel()
    await results.waitForElements(1)
    #expect(throws: WebServiceError.self) { try results.elements.first?.get() }
    expectEqual(server.requestCount, 0)
  }

  @Test func descriptionsHoldNoValueOfTheUser() throws {
    let config = Server.Config(
      base: URL(string: "https://user:s3cr3t@backend.example.com/s3cr3t"), headers: ["Authorization": "Bearer s3cr3t"],
      query: ["key": "s3cr3t"])
    expectEqual("\(config)", "https://backend.example.com, with Authorization, key")
    var dumped = ""
    dump(config, to: &dumped)
    #expect(!(dumped + String(reflecting: config)).contains("s3cr3t"))
  }
}
