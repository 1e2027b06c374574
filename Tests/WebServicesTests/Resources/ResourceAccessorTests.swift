@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct ResourceAccessorTests {
  private let harness = VirtualHarness.scripted(tokenManager: FakeTokenManager(token: "s3cr3t-token"))

  private var anybody: any Accessible { ResourceAccessor(service: harness.service, environment: .production) }
  private var kong: any KongAccessible {
    AuthenticatedAccessor<KongAuth>(service: harness.service, environment: .production)
  }

  @Test func publicResourceSendsPathAndMethod() async throws {
    harness.session.script(.get, "/v1/public/cities", .json(CitiesResponse.twoAsJSON))
    expectEqual(try await anybody.access(CitiesService.fetchPublicCitiesResource()), .two)
    let request = try #require(harness.session.requests.first)
    expectEqual(request.url?.absoluteString, "https://core.example.com/v1/public/cities")
    expectEqual(request.value(forHTTPHeaderField: "Authorization"), nil)
    expectEqual(request.value(forHTTPHeaderField: "Accept"), "application/json")
    expectEqual(request.httpBody, nil)
  }

  @Test func authorizedResourceSendsCredentials() async throws {
    harness.session.script(.get, "/v1/cities", .json(CitiesResponse.twoAsJSON))
    expectEqual(try await CitiesBusinessController(accessible: kong).fetch(), .two)
    expectEqual(harness.session.requests.first?.value(forHTTPHeaderField: "Authorization"), "Bearer s3cr3t-token")
  }

  @Test func valueIsSentAsJSONWithHeaders() async throws {
    harness.session.script(.post, "/v1/cities", .json(#"{"name": "Bath"}"#, status: 201))
    expectEqual(try await kong.access(CitiesService.addCityResource(), with: City(name: "Bath")), City(name: "Bath"))
    let request = try #require(harness.session.requests.first)
    expectEqual(request.value(forHTTPHeaderField: "X-Reason"), "new")
    expectEqual(request.value(forHTTPHeaderField: "Content-Type"), "application/json")
    expectEqual(try JSONDecoder().decode(City.self, from: request.httpBody ?? Data()), City(name: "Bath"))
  }

  @Test func ignoredResponseMayBeAnything() async throws {
    harness.session.script(.delete, "/v1/cities", .json("no JSON"))
    try await kong.access(CitiesService.removeCitiesResource())
    expectEqual(harness.session.requests.count, 1)
  }

  @Test func resourceMayEncodeAndParse() async throws {
    let resource = BackendResource<String, Int, NoAuth>(
      path: .api(.clinical, "wards"), method: .put, queryItems: [URLQueryItem(name: "dry", value: "1")],
      content: .body { .data(Data($0.utf8), contentType: "text/plain") },
      parser: ResponseParser.data.map(\.count).mapping([404], to: -1))
    harness.session.script(.put, "/clinical/wards", .data(Data("seven..".utf8)))
    harness.session.script(.put, "/clinical/wards", .status(404))
    expectEqual(try await anybody.access(resource, with: "text"), 7)
    expectEqual(try await anybody.access(resource, with: "text"), -1)
    let request = try #require(harness.session.requests.first)
    expectEqual(request.url?.query, "dry=1")
    expectEqual(request.httpBody, Data("text".utf8))
  }

  @Test func resourceWithoutValueMayParse() async throws {
    let resource = BackendResource<Void, Data, NoAuth>(
      path: .api(.core, "/icon"), method: .get, headers: ["Accept": "image/png"], parser: .data)
    harness.session.script(.get, "/icon", .data(Data([1, 2])))
    expectEqual(try await anybody.access(resource), Data([1, 2]))
    expectEqual(harness.session.requests.first?.value(forHTTPHeaderField: "Accept"), "image/png")
    let upload = BackendResource<City, Data, NoAuth>(path: .api(.core, "/icon"), method: .get, parser: .data)
    expectEqual(try await anybody.access(upload, with: City(name: "Bath")), Data([1, 2]))
    expectEqual(harness.session.requests.last?.url?.query, "name=Bath")
  }

  @Test func completionRunsOnCallbackQueueOrMainQueue() async throws {
    harness.session.script(.get, "/v1/cities", .json(CitiesResponse.twoAsJSON))
    let queue = DispatchQueue(label: "named")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let named = Collector<(Bool, CitiesResponse?)>()
    kong.access(CitiesService.fetchCitiesResource(), callbackQueue: queue) { result in
      named.append((DispatchQueue.getSpecific(key: key) == true, result.value))
    }
    await named.waitForElements(1)
    expectEqual(named.elements.first?.0, true)
    expectEqual(named.elements.first?.1, .two)
    let main = Collector<CitiesResponse?>()
    kong.access(CitiesService.fetchCitiesResource()) { result in
      dispatchPrecondition(condition: .onQueue(.main))
      main.append(result.value)
    }
    await main.waitForElements(1)
    expectEqual(main.elements, [.two])
  }

  @Test func unknownBackendFailsWithBadURL() async throws {
    let accessor = ResourceAccessor(service: harness.service, environment: .staging)
    let resource = BackendResource<Void, CitiesResponse, NoAuth>(path: .api(.clinical, "/wards"), method: .get)
    let error = await #expect(throws: WebServiceError.self) { try await accessor.access(resource) }
    expectEqual(error?.kind, .badURL)
    let results = Collector<WebServiceError?>()
    let queue = DispatchQueue(label: "held")
    queue.suspend()
    let task = accessor.access(resource, callbackQueue: queue) { results.append($0.error) }
    #expect(results.elements.isEmpty)
    queue.resume()
    await results.waitForElements(1)
    task.cancel()
    expectEqual(results.elements, [error])
    #expect(harness.session.requests.isEmpty)
  }

  @Test func stubImplementsOneMethod() async throws {
    let stub = StubAccessible(json: CitiesResponse.twoAsJSON)
    expectEqual(try await CitiesBusinessController(accessible: stub).fetch(), .two)
    let results = Collector<CitiesResponse?>()
    stub.access(CitiesService.fetchCitiesResource()) { results.append($0.value) }
    await results.waitForElements(1)
    expectEqual(results.elements, [.two])
    let broken = StubAccessible(json: "{")
    let error = await #expect(throws: WebServiceError.self) {
      try await CitiesBusinessController(accessible: broken).fetch()
    }
    expectEqual(error?.kind, .undecodableBody)
  }
}
