@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct ResourceAccessorTests {
  private let harness = VirtualHarness.scripted(tokenManager: FakeTokenManager(token: "s3cr3t-token"))

  private var anybody: any Accessible { ResourceAccessor(service: harness.service, environment: .production) }
  private var kong: any KongAccessible {
    AuthenticatedAccessor<KongAuth>(service: harness.service, environment: .production)
  }

  private func field(_ name: String) -> String? { harness.session.requests.last?.value(forHTTPHeaderField: name) }

  @Test func resourceSendsItsPartsAndTheCredentials() async throws {
    harness.session.script(.get, "/v1/public/cities", .json(CitiesResponse.twoAsJSON))
    expectEqual(try await anybody.access(CitiesService.fetchPublicCitiesResource()), .two)
    let request = try #require(harness.session.requests.first)
    expectEqual(request.url?.absoluteString, "https://core.example.com/v1/public/cities")
    expectEqual([field("Authorization"), field("Accept")], [nil, "application/json"])
    expectEqual(request.httpBody, nil)
    harness.session.script(.get, "/v1/cities", .json(CitiesResponse.twoAsJSON))
    expectEqual(try await kong.access(CitiesService.fetchCitiesResource()), .two)
    expectEqual(field("Authorization"), "Bearer s3cr3t-token")
    harness.session.script(.post, "/v1/cities", .json(#"{"name": "Bath"}"#, status: 201))
    let bath = City(name: "Bath")
    expectEqual(try await kong.access(CitiesService.addCityResource(), with: bath), bath)
    expectEqual([field("X-Reason"), field("Content-Type")], ["new", "application/json"])
    expectEqual(harness.session.requests.last?.httpBody, Data(#"{"name":"Bath"}"#.utf8))
    harness.session.script(.delete, "/v1/cities", .json("no JSON"))
    try await kong.access(CitiesService.removeCitiesResource())
    expectEqual(harness.session.requests.count, 4)
  }

  @Test func resourceMayEncodeAndParse() async throws {
    let resource = BackendResource<String, Int, NoAuth>(
      path: .api(.clinical, "wards"), method: .put, queryItems: [URLQueryItem(name: "dry", value: "1")],
      content: .body { .data(Data($0.utf8), contentType: "text/plain") },
      parser: ResponseParser.data.map(\.count).mapping([404], to: -1))
    harness.session.script(.put, "/clinical/wards", [.data(Data("seven..".utf8)), .status(404)])
    expectEqual(try await anybody.access(resource, with: "text"), 7)
    expectEqual(try await anybody.access(resource, with: "text"), -1)
    expectEqual(harness.session.requests.last?.url?.query, "dry=1")
    expectEqual(harness.session.requests.last?.httpBody, Data("text".utf8))
    harness.session.script(.get, "/icon", .data(Data([1, 2])))
    let icon = BackendResource<Void, Data, NoAuth>(
      path: .api(.core, "/icon"), method: .get, headers: ["Accept": "image/png"], parser: .data)
    expectEqual(try await anybody.access(icon), Data([1, 2]))
    expectEqual(field("Accept"), "image/png")
    let named = BackendResource<City, Data, NoAuth>(path: .api(.core, "/icon"), method: .get, parser: .data)
    expectEqual(try await anybody.access(named, with: City(name: "Bath")), Data([1, 2]))
    expectEqual(harness.session.requests.last?.url?.query, "name=Bath")
    harness.session.script(.get, "/moved", .status(302, headers: ["Location": "/icon"]))
    let moved = BackendResource<Void, Int, NoAuth>(
      path: .api(.core, "/moved"), method: .get, content: .none,
      parser: ResponseParser.response.map(\.statusCode).accepting(302),
      options: RequestOptions { $0.redirects = .doNotFollow })
    expectEqual(try await anybody.access(moved), 302)
  }

  @Test func completionRunsOnCallbackQueueOrMainQueue() async throws {
    harness.session.script(.get, "/v1/cities", .json(CitiesResponse.twoAsJSON))
    let (queue, results) = (DispatchQueue(label: "named"), Collector<CitiesResponse?>())
    kong.access(CitiesService.fetchCitiesResource(), callbackQueue: queue) { result in
      dispatchPrecondition(condition: .onQueue(queue))
      results.append(result.value)
    }
    kong.access(CitiesService.fetchCitiesResource()) { result in
      dispatchPrecondition(condition: .onQueue(.main))
      results.append(result.value)
    }
    expectEqual(await results.elements(2), [.two, .two])
  }

  @Test func unknownBackendFailsWithBadURL() async throws {
    let accessor = ResourceAccessor(service: harness.service, environment: .staging)
    let resource = BackendResource<Void, CitiesResponse, NoAuth>(path: .api(.clinical, "/wards"), method: .put)
    let error = await thrown { try await accessor.access(resource) }
    expectEqual(error?.kind, .badURL)
    expectEqual(error?.method, .put)
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
}
