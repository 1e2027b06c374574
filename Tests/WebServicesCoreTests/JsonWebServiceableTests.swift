@testable import WebServicesTestSupport

/// A user's fake, which needs only one method.
final class FakeWebService: JsonWebServiceable {
  let cancelled = Collector<Void>()
  private let json: String?

  init(json: String?) { self.json = json }

  func sendRequest<Value: Sendable>(
    _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
  ) -> WebServiceTask {
    guard let json else {
      return WebServiceTask { [cancelled] in
        cancelled.append(())
        callbackQueue.async { completion(.failure(WebServiceError(.cancelled))) }
      }
    }
    callbackQueue.async { completion(parser.result(ofJSON: json)) }
    return WebServiceTask()
  }
}

@Suite struct JsonWebServiceableTests {
  @Test func cancelledTaskCancelsTheFakesRequest() async {
    let fake = FakeWebService(json: nil)
    let task = Task { try await fake.sendRequest(TestRequest(), as: City.self) }
    task.cancel()
    await fake.cancelled.waitForElements(1)
    let error = await task.result
    #expect(throws: WebServiceError.self) { try error.get() }
  }
}
