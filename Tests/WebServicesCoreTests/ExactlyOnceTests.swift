@testable import WebServicesTestSupport

/// Every request must complete once while responses, cancels, timeouts and a shutdown race each other.
@Suite(.serialized, .leavesNothing)
struct ExactlyOnceTests {
  /// An action that races the requests.
  private enum Disturbance: CaseIterable {
    case cancel, advanceClock, nothing
  }

  @Test(arguments: seeds(5, many: 100))
  func everyRequestEndsOnceInRandomOrder(seed: UInt64) async {
    var generator = SeededGenerator(seed: seed)
    let harness = VirtualHarness.scripted(tokenManager: FakeTokenManager()) { $0.timeout = 2 }
    for index in 0..<100 {
      harness.session.script(.get, "/\(index)", response(using: &generator))
    }
    let disturbances = (0..<200).map { _ in Disturbance.allCases.randomElement(using: &generator) ?? .nothing }
    let shutDownIndex = Int.random(in: 0..<400, using: &generator)
    let queue = DispatchQueue(label: "completions", attributes: .concurrent)
    let completed = Collector<Int>()
    let tasks = Collector<WebServiceTask>()

    await concurrently(200) { step in
      if step.isMultiple(of: 2) {
        let index = step / 2
        let request = TestRequest(
          path: "https://api.example.com/\(index)",
          authorization: index.isMultiple(of: 3) ? .bearer : .none)
        let task = harness.service.sendRequest(request, callbackQueue: queue) { (_: WebServiceResult<City>) in
          completed.append(index)
        }
        tasks.append(task)
      }
      if step == shutDownIndex { harness.service.invalidateAndCancel() }
      switch disturbances[step] {
      case .cancel: tasks.elements.randomElement()?.cancel()
      case .advanceClock: harness.clock.advance(by: 0.5)
      case .nothing: break
      }
    }
    // The requests that are still open time out now.
    harness.clock.advance(by: 10)
    await completed.waitForElements(100)
    await withCheckedContinuation { continuation in
      queue.async(flags: .barrier) { continuation.resume() }
    }
    expectEqual(completed.elements.sorted(), Array(0..<100))
    await harness.session.waitUntilIdle()
    harness.clock.advance(by: 10)
  }

  private func response(using generator: inout SeededGenerator) -> MockResponse {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: .never
    case 1: .json(#"{"name": "Bath"}"#).delayed(by: Double.random(in: 0..<4, using: &generator))
    case 2: .failure(URLError(.networkConnectionLost))
    case 3: .json("not json")
    case 4: .status(503)
    default: .json(#"{"name": "Bath"}"#)
    }
  }
}
