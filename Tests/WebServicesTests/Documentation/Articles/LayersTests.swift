import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on layers.
@Suite struct LayersTests {
  // sample: signingLayer
  struct SigningLayer: SessionLayer {
    let sign: @Sendable (TransportRequest) -> String

    func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
      SigningSession(next: next, sign: sign)
    }
  }

  struct SigningSession: WrappingSession {
    let next: any URLSessionProtocol
    let sign: @Sendable (TransportRequest) -> String

    func transferTask(
      with request: TransportRequest,
      completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
    ) -> any URLSessionTaskProtocol {
      var signed = request
      signed.headers["X-Signature"] = sign(request)
      return next.transferTask(with: signed, completion: completion)
    }
  }
  // end of sample

  // sample: countingLayer
  struct CountingLayer: SessionLayer {
    let count: @Sendable (Result<WebServiceResponse, TransportError>) -> Void

    func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
      CountingSession(next: next, count: count)
    }
  }

  struct CountingSession: WrappingSession {
    let next: any URLSessionProtocol
    let count: @Sendable (Result<WebServiceResponse, TransportError>) -> Void

    func transferTask(
      with request: TransportRequest,
      completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
    ) -> any URLSessionTaskProtocol {
      next.transferTask(with: request) { result in
        count(result)
        completion(result)
      }
    }
  }
  // end of sample

  // sample: failingLayer
  struct FailingLayer: SessionLayer {
    let turn: @Sendable () -> Int

    func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
      FailingSession(next: next, turn: turn)
    }
  }

  struct FailingSession: WrappingSession {
    let next: any URLSessionProtocol
    let turn: @Sendable () -> Int

    func transferTask(
      with request: TransportRequest,
      completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
    ) -> any URLSessionTaskProtocol {
      guard turn() % 10 == 0 else { return next.transferTask(with: request, completion: completion) }
      let error = TransportError(.connectionLost, message: "chaos", mayHaveReachedServer: false)
      return finishedTask(with: .failure(error), completion: completion)
    }
  }
  // end of sample

  @Test func layersHaveTheOrderOfTheArticle() async throws {
    let session = MockURLSession()
    session.script(.get, "/cities", .json("{}", headers: ["Cache-Control": "max-age=600"]))
    var configuration = WebServiceConfiguration()
    let cache = ResponseCache()
    let limits = RequestLimits(maximumConcurrentRequestsPerHost: 8)
    // sample: layers
    configuration.layers = [.cache(cache), .coalescing, .circuitBreaker(.standard), .limits(limits)]
    // end of sample
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    for _ in 0..<2 { try await service.sendRequest(TestRequest(), parser: .nothing) }
    #expect(session.requests.count == 1)
  }

  @Test func appsOwnLayersSeeEveryTransfer() async throws {
    let session = MockURLSession()
    session.script(.get, "/cities", .response(status: 204))
    var configuration = WebServiceConfiguration()
    let turns = Collector<Void>()
    let failures = Collector<Void>()
    let limits = RequestLimits(maximumConcurrentRequestsPerHost: 1)
    let sign: @Sendable (TransportRequest) -> String = { request in "signed \(request.method)" }
    let count: @Sendable (Result<WebServiceResponse, TransportError>) -> Void = { result in
      if case .failure = result { failures.append(()) }
    }
    let turn: @Sendable () -> Int = {
      turns.append(())
      return turns.elements.count
    }
    // sample: useLayers
    configuration.layers = [
      SigningLayer(sign: sign), CountingLayer(count: count), .limits(limits), FailingLayer(turn: turn),
    ]
    // end of sample
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    var kinds: [WebServiceError.Kind] = []
    for _ in 0..<20 {
      do {
        try await service.sendRequest(TestRequest(), parser: .nothing)
      } catch {
        kinds.append(error.kind)
      }
    }
    #expect(kinds == [.sessionFailure, .sessionFailure])
    #expect(failures.elements.count == 2)
    #expect(session.requests.count == 18)
    #expect(session.requests.allSatisfy { $0.value(forHTTPHeaderField: "X-Signature") == "signed GET" })
  }
}
