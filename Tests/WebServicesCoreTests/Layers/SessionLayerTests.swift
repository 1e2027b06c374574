import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore

@Suite struct SessionLayerTests {
  /// Records the requests and results that pass through.
  private struct Noting: SessionLayer {
    let name: String
    let notes: Collector<String>

    func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
      Session(next: next, layer: self)
    }

    private struct Session: WrappingSession {
      let next: any URLSessionProtocol
      let layer: Noting

      func transferTask(
        with request: TransportRequest, completion: @escaping HeldTask.Completion
      ) -> any URLSessionTaskProtocol {
        layer.notes.append("\(layer.name) \(request.url.path)")
        return next.transferTask(with: request) { result in
          layer.notes.append("\(layer.name) ends")
          completion(result)
        }
      }
    }
  }

  private let notes = Collector<String>()

  private func layer(_ name: String) -> any SessionLayer { Noting(name: name, notes: notes) }

  @Test func firstLayerSeesRequestFirstAndResultLast() async {
    let bench = HeldBench { $0.layers = [layer("one"), layer("two")] }
    let (_, results) = bench.send()
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(notes.elements == ["one /a", "two /a", "two ends", "one ends"])
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    #expect(bench.story() == ["described", "authorized", "sent", "received(200)", "decoded", "success"])
    bench.expectNothingLeft()
  }

  @Test func noLayersKeepTheSession() {
    let bench = HeldBench()
    #expect(bench.service.engine.session is HeldSession)
    #expect(!bench.service.engine.hasLayers)
  }

  @Test func layersSeeEveryTransfer() async {
    let bench = HeldBench { configuration in
      configuration.layers = [.cache(ResponseCache()), .coalescing, layer("one")]
      configuration.retry = .standard
    }
    bench.send(options: RequestOptions { $0.bypassesLimits = true })
    bench.session.open.first?.answer(503)
    bench.clock.advance(by: 1)
    bench.session.open.first?.answer(302, ["Location": "/b"])
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(notes.elements.filter { $0 != "one ends" } == ["one /a", "one /a", "one /b"])
    bench.expectNothingLeft()
  }

  @Test func sessionThatCompletesTwiceEndsOnce() async {
    let bench = HeldBench { configuration in
      configuration.layers = [layer("one"), .limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))]
    }
    bench.send()
    bench.session.exchanges.first?.answer()
    bench.session.exchanges.first?.answerLate()
    await bench.settle()
    #expect(notes.elements == ["one /a", "one ends"])
    bench.expectNothingLeft()
  }

  @Test func invalidationPassesTheLayers() {
    let bench = LayerBench([layer("one"), .cache(ResponseCache()), .limits(RequestLimits())])
    bench.layered.invalidateAndCancel()
    #expect(bench.session.invalidationCount == 1)
  }

  @Test func layersErrorIsReportedAndRetried() async {
    let failures = Locked(1)
    let bench = HeldBench { configuration in
      configuration.layers = [Failing(failures: failures)]
      configuration.retry = .standard
    }
    let (_, results) = bench.send()
    #expect(bench.session.exchanges.isEmpty)
    bench.clock.advance(by: 1)
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    bench.expectNothingLeft()
  }

  /// Fails this many requests with a lost connection.
  private struct Failing: SessionLayer {
    let failures: Locked<Int>

    func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
      Session(next: next, failures: failures)
    }

    private struct Session: WrappingSession {
      let next: any URLSessionProtocol
      let failures: Locked<Int>

      func transferTask(
        with request: TransportRequest, completion: @escaping HeldTask.Completion
      ) -> any URLSessionTaskProtocol {
        let fails = failures.withLock { failures in
          defer { failures -= 1 }
          return failures > 0
        }
        guard fails else { return next.transferTask(with: request, completion: completion) }
        let error = TransportError(.connectionLost, message: "", mayHaveReachedServer: false)
        return finishedTask(with: .failure(error), completion: completion)
      }
    }
  }
}
