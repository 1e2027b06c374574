@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct JsonWebServiceTests {
  @Test func awaitedResponseWithoutABodyIsNilOnlyForAnOptionalModel() async throws {
    let harness = VirtualHarness.scripted(.status(204))
    let service = harness.service
    expectEqual(try await service.sendRequest(TestRequest(), as: City?.self), nil)
    let city: City? = try await service.sendRequest(TestRequest())
    expectEqual(city, nil)
    let errors = [
      ("City?", await thrown { let _: City = try await service.sendRequest(TestRequest()) }),
      ("JSONValue?", await thrown { try await service.sendRequest(TestRequest(), as: JSONValue.self) }),
    ]
    for (type, error) in errors {
      #expect(error?.kind == .undecodableBody && error?.statusCode == 204 && error?.underlying is DecodingError)
      expectEqual(error?.message.hasPrefix("the response has no body; expect a value of type"), true)
      expectEqual(error.map { "\($0)".contains(type) }, true)
    }
  }

  @Test(arguments: [("X\u{2011}Api-Key", "X"), ("Authorization: Bearer secret", "Authorization"), ("", "")])
  func invalidHeaderNameIsToldUpToTheInvalidCharacter(name: String, start: String) async {
    let harness = VirtualHarness.scripted()
    let request = Request("https://api.example.com/a", headers: [name: "1"])
    let error = await thrown { try await harness.service.sendRequest(request, parser: .nothing) }
    expectEqual(error?.kind, .invalidRequest)
    expectEqual(error?.message, "the name of the header contains a character that isn't allowed, behind \"\(start)\"")
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

  /// A session that completes twice, before its task is resumed.
  private struct SynchronousSession: URLSessionProtocol {
    func dataTask(
      with request: URLRequest,
      completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> FinishedTask {
      let response = request.url.flatMap {
        HTTPURLResponse(url: $0, statusCode: 200, httpVersion: nil, headerFields: nil)
      }
      completionHandler(Data(#"{"name": "Bath"}"#.utf8), response, nil)
      completionHandler(nil, nil, URLError(.badServerResponse))
      return FinishedTask()
    }
  }

  @Test func synchronousSessionCompletesOnceAfterTheCall() async {
    let (clock, results) = (VirtualClock(), Collector<WebServiceResult<City>>())
    let service = JsonWebService(
      session: SynchronousSession(), reachability: FakeReachability(),
      configuration: WebServiceConfiguration(timeout: 30, clock: clock))
    let queue = DispatchQueue(label: "synchronous")
    service.sendRequest(TestRequest(), callbackQueue: queue) { results.append($0) }
    await results.waitForElements(1)
    queue.sync {}
    expectEqual(results.elements, [.success(City(name: "Bath"))])
    expectEqual([service.requestCount, clock.pendingTimerCount], [0, 0])
  }

  @Test func cancelledTaskCancelsTheFakesRequest() async {
    let fake = HeldService()
    let task = Task { try await fake.sendRequest(TestRequest(), as: City.self) }
    task.cancel()
    await #expect(throws: WebServiceError.self) { try await task.value }
    expectEqual(fake.openCount, 0)
  }
}
