@testable import WebServicesTestSupport

@Suite struct JsonWebServiceableTests {
  @Test func cancelledTaskCancelsTheFakesRequest() async {
    let fake = HeldService()
    let task = Task { try await fake.sendRequest(TestRequest(), as: City.self) }
    task.cancel()
    await #expect(throws: WebServiceError.self) { try await task.value }
    expectEqual(fake.openCount, 0)
  }
}
