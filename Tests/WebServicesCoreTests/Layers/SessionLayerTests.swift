@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite(.leavesNothing) struct SessionLayerTests {
  private let notes = Collector<String>()

  /// Records the requests and results that pass through.
  private func layer(_ name: String) -> any SessionLayer {
    SendingLayer { [notes] request, session, completion in
      notes.append("\(name) \(request.url.path)")
      return session.next.transferTask(with: request) { result in
        notes.append("\(name) ends")
        completion(result)
      }
    }
  }

  private struct NotedTask: URLSessionTaskProtocol {
    let notes: Collector<String>
    func resume() { notes.append("resumed") }
    func cancel() { notes.append("cancelled") }
  }

  @Test func outboundTaskThatIsCancelledIsNotResumed() {
    let layer = SendingLayer { [notes] _, _, _ in NotedTask(notes: notes) }
    let session = OutboundSession(next: layer.wrap(HeldSession(), for: LayerContext()))
    let task = session.transferTask(with: TransportRequest(url: testURL("https://h/"))) { [notes] result in
      notes.append(result.word)
    }
    task.cancel()
    task.resume()
    expectEqual(notes.elements, ["cancelled", "cancelled"])
  }

  @Test func firstLayerSeesRequestFirstAndResultLastAndOnce() async {
    let harness = VirtualHarness.held {
      $0.layers = [layer("one"), layer("two"), .limits(RequestLimits(concurrentRequestsPerHost: 1))]
    }
    let (_, results) = harness.send()
    harness.session.transfers.first?.respond()
    harness.session.transfers.first?.respondAgain()
    await harness.settle()
    expectEqual(notes.elements, ["one /a", "two /a", "two ends", "one ends"])
    expectEqual(results.elements.map(\.model), [City(name: "Bath")])
    expectEqual(harness.story(), ["described", "authorized", "sent", "received(200)", "decoded", "success"])
  }

  @Test func noLayersKeepTheSession() {
    let harness = VirtualHarness.held()
    #expect(harness.service.engine.session is HeldSession)
    #expect(!harness.service.engine.hasLayers)
  }

  /// A session of an app needn't complete a task that was never resumed. A layer may hold a permit for the task.
  @Test func taskThatIsCancelledBeforeItBeginsEndsOnce() {
    let layers = [layer("one"), .limits(RequestLimits(concurrentRequestsPerHost: 1))]
    let session = layers.wrap(SilentSession(), for: LayerContext())
    let kinds = Collector<TransportError.Kind?>()
    for path in ["a", "b"] {
      let request = TransportRequest(url: testURL("https://api.example.com/\(path)"))
      let task = session.transferTask(with: request) { kinds.append($0.error?.kind) }
      task.cancel()
      task.resume()
    }
    expectEqual(kinds.elements, [.cancelled, .cancelled])
    expectEqual(notes.elements, ["one /a", "one ends", "one /b", "one ends"])
  }

  /// Never completes a task.
  private struct SilentSession: URLSessionProtocol {
    struct Task: URLSessionTaskProtocol {
      func resume() {}
      func cancel() {}
    }

    func dataTask(
      with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> Task { Task() }

    func invalidateAndCancel() {}
  }

  @Test func invalidationPassesTheLayers() {
    let harness = VirtualHarness.held { $0.layers = [layer("one"), .cache(ResponseCache()), .limits(RequestLimits())] }
    harness.layered.invalidateAndCancel()
    expectEqual(harness.session.invalidationCount, 1)
  }
}
