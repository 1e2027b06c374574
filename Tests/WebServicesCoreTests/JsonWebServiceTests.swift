@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct JsonWebServiceTests {
  private let path = "/cities"

  @Test(
    arguments: [
      HTTPMethod.get, .head, .post, .put, .patch, .delete, .options, HTTPMethod(rawValue: "PURGE"),
    ], [WebServiceAuthorizationType.none, .apiToken, .bearer, .header(named: "X-Key")])
  func everyMethodIsSent(method: HTTPMethod, authorization: WebServiceAuthorizationType) async throws {
    let harness = VirtualHarness.scripted(tokenManager: FakeTokenManager(token: "secret-token"))
    harness.session.script(method, path, .json(#"{"name": "Bath"}"#))
    let result = await harness.result(of: TestRequest(method: method, authorization: authorization))
    expectEqual(result, .success(City(name: "Bath")))
    let sent = try #require(harness.session.requests.first)
    expectEqual(sent.httpMethod, method.rawValue)
    switch authorization {
    case .apiToken: expectEqual(sent.value(forHTTPHeaderField: "api-token"), "secret-token")
    case .bearer: expectEqual(sent.value(forHTTPHeaderField: "Authorization"), "Bearer secret-token")
    case .header(let name, _): expectEqual(sent.value(forHTTPHeaderField: name), "secret-token")
    default: #expect(sent.allHTTPHeaderFields?.values.contains { $0.contains("secret-token") } != true)
    }
  }

  @Test func configurationAndRequestAreCombined() async throws {
    let harness = VirtualHarness.scripted {
      $0.baseURL = URL(string: "https://api.example.com/v1/")
      $0.headers = ["X-App": "demo", "Accept-Language": "en"]
      $0.queryItems = [URLQueryItem(name: "locale", value: "en")]
    }
    harness.session.script(.post, "/v1/cities", .json(#"{"name": "Bath"}"#))
    let request = TestRequest(
      path: "/cities?sort=name", method: .post, headers: ["accept-language": "de"],
      queryItems: [URLQueryItem(name: "q", value: "a+b & c=d")],
      body: ["name": "Bath", "size": 3, "tags": ["old", "warm"]])
    _ = await harness.result(of: request)
    let sent = try #require(harness.session.requests.first)
    expectEqual(sent.url?.absoluteString, "https://api.example.com/v1/cities?sort=name&locale=en&q=a%2Bb%20%26%20c%3Dd")
    expectEqual(sent.value(forHTTPHeaderField: "X-App"), "demo")
    expectEqual(sent.value(forHTTPHeaderField: "Accept-Language"), "de")
    expectEqual(sent.value(forHTTPHeaderField: "Accept"), "application/json")
    expectEqual(sent.value(forHTTPHeaderField: "Content-Type"), "application/json")
    expectEqual(sent.httpBody, Data(#"{"name":"Bath","size":3,"tags":["old","warm"]}"#.utf8))
  }

  @Test(arguments: [200, 201, 204, 205])
  func emptyResponseIsASuccessWithoutModel(status: Int) async {
    let harness = VirtualHarness.scripted(.status(status))
    expectEqual(await harness.result(of: TestRequest()), .success(nil))
  }

  @Test func awaitedResponseWithoutABodyIsNilOnlyForAnOptionalModel() async throws {
    let harness = VirtualHarness.scripted(.status(204))
    let service = harness.service
    expectEqual(try await service.sendRequest(TestRequest(), as: City?.self), nil)
    let city: City? = try await service.sendRequest(TestRequest())
    expectEqual(city, nil)
    let errors = [
      (
        "City?",
        await #expect(throws: WebServiceError.self) { let _: City = try await service.sendRequest(TestRequest()) }
      ),
      (
        "JSONValue?",
        await #expect(throws: WebServiceError.self) { try await service.sendRequest(TestRequest(), as: JSONValue.self) }
      ),
    ]
    for (type, error) in errors {
      #expect(error?.kind == .undecodableBody && error?.statusCode == 204 && error?.underlying is DecodingError)
      expectEqual(error?.message.hasPrefix("the response has no body; expect a value of type"), true)
      expectEqual(error.map { "\($0)".contains(type) }, true)
    }
  }

  @Test func configuredCodersAreUsed() async throws {
    struct Visit: Codable, Sendable, Equatable {
      var firstName: String
      var date: Date
    }
    let harness = VirtualHarness.scripted {
      $0.encoder.keyEncodingStrategy = .convertToSnakeCase
      $0.encoder.dateEncodingStrategy = .iso8601
      $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
      $0.decoder.dateDecodingStrategy = .iso8601
    }
    harness.session.script(.post, path, .json(#"{"first_name": "Bo", "date": "1970-01-01T00:00:01Z"}"#))
    let visit = Visit(firstName: "Ada", date: Date(timeIntervalSince1970: 0))
    let received = try await harness.service.sendRequest(
      TestRequest(method: .post, body: .json(visit)), as: Visit.self)
    expectEqual(received, Visit(firstName: "Bo", date: Date(timeIntervalSince1970: 1)))
    let body = try JSONDecoder().decode([String: String].self, from: harness.session.requests[0].httpBody ?? Data())
    expectEqual(body, ["first_name": "Ada", "date": "1970-01-01T00:00:00Z"])
  }

  @Test(arguments: [true, false])
  @MainActor
  func invalidRequestFailsAfterTheCall(onMain: Bool) async {
    let harness = VirtualHarness.scripted()
    let log = Collector<String>()
    let request = TestRequest(path: "not a url")
    await withCheckedContinuation { continuation in
      let completion: @Sendable (WebServiceResult<City>) -> Void = { _ in
        log.append("completed")
        continuation.resume()
      }
      if onMain {
        harness.service.sendRequest(request, completion: completion)
      } else {
        // The main queue is blocked here, so a completion on it can't run early.
        harness.service.sendRequest(request, callbackQueue: .main, completion: completion)
      }
      log.append("returned")
    }
    expectEqual(log.elements, ["returned", "completed"])
  }

  @Test(arguments: [false, true])
  func taskCancellationCancelsTheRequest(isEarly: Bool) async {
    let harness = VirtualHarness.scripted(.never)
    let task = Task {
      if isEarly { withUnsafeCurrentTask { $0?.cancel() } }
      return try await harness.service.sendRequest(TestRequest(), as: City.self)
    }
    if !isEarly { await harness.session.waitForRequests(1) }
    task.cancel()
    await #expect { try await task.value } throws: { ($0 as? WebServiceError)?.kind == .cancelled }
    await harness.session.waitUntilIdle()
    expectEqual(harness.session.requests.isEmpty, isEarly)
  }
}
