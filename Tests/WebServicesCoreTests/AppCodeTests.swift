import Dispatch
import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Transfers end and timers fire on a marked queue. The queue stands for the thread that all requests share.
@Suite struct AppCodeTests {
  /// Records which code of an app runs, and whether it runs on the shared queue, where it must not.
  private final class Places: Sendable {
    private static let key = DispatchSpecificKey<Bool>()

    let shared = DispatchQueue(label: "shared by all requests")
    let notes = Collector<String>()

    init() { shared.setSpecific(key: Self.key, value: true) }

    func note(_ name: String) {
      notes.append(DispatchQueue.getSpecific(key: Self.key) == true ? "\(name) in the way" : name)
    }
  }

  private struct NotingTokenManager: WebServiceTokenManageable {
    let places: Places

    func ensureValidToken(
      ofType type: WebServiceAuthorizationType, completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
    ) {
      places.note("token")
      completion(.success(AccessToken(value: "token")))
    }

    func replaceRefusedToken(
      _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
      completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
    ) {
      places.note("replacement")
      completion(.success(AccessToken(value: "other")))
    }
  }

  private struct NotingBody: TransportBodyStream {
    let places: Places

    var length: Int64? { 0 }
    var isReplayable: Bool { true }

    func makeReader() throws -> any TransportBodyReader {
      places.note("body")
      return EmptyReader()
    }
  }

  private struct EmptyReader: TransportBodyReader {
    func read(upTo count: Int) throws -> Data { Data() }
    func close() {}
  }

  private let places = Places()

  private func bench(configure: (inout WebServiceConfiguration) -> Void = { _ in }) -> HeldBench {
    HeldBench(tokenManager: NotingTokenManager(places: places), configure: configure)
  }

  private func signer(needsToken: Bool = true) -> WebServiceAuthorizationType {
    .custom(
      RequestSigner(named: "noting", needsToken: needsToken) { [places] request, _ in
        places.note("signature of \(request.url.path)")
        return ["X-Signature": request.url.path]
      })
  }

  /// Completes the one open transfer on the shared queue, and waits for the consequences.
  private func answer(_ bench: HeldBench, _ status: Int = 200, _ headers: [String: String] = [:]) async {
    places.shared.sync { bench.session.open.first?.answer(status, headers) }
    await bench.passAppCode()
  }

  /// Runs `work` while the app's code is held back, so that its effects on that code come afterwards.
  private func holdingAppCode(_ work: () -> Void) {
    let gate = DispatchSemaphore(value: 0)
    AppCode.queue.async(flags: .barrier) { gate.wait() }
    work()
    gate.signal()
  }

  private func expectSuccess(
    _ bench: HeldBench, _ results: Collector<WebServiceResult<City>>, notes: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await answer(bench)
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")], sourceLocation: sourceLocation)
    #expect(places.notes.elements == notes, sourceLocation: sourceLocation)
    bench.expectNothingLeft(sourceLocation: sourceLocation)
  }

  @Test(arguments: [false, true])
  func tokenReplacementRunsOffTheSharedThread(isSigned: Bool) async {
    let bench = bench()
    let (_, results) = bench.send(authorization: isSigned ? signer() : .bearer)
    await answer(bench, 401)
    let notes = isSigned ? ["token", "signature of /a", "replacement", "signature of /a"] : ["token", "replacement"]
    await expectSuccess(bench, results, notes: notes)
  }

  @Test(arguments: [false, true])
  func redirectIsSignedOffTheSharedThread(needsToken: Bool) async {
    let bench = bench()
    let (_, results) = bench.send(authorization: signer(needsToken: needsToken))
    await answer(bench, 302, ["Location": "/b"])
    let notes = (needsToken ? ["token"] : []) + ["signature of /a", "signature of /b"]
    await expectSuccess(bench, results, notes: notes)
  }

  @Test(arguments: [307, 503])
  func bodyIsRemadeOffTheSharedThread(status: Int) async {
    let bench = bench { $0.retry = .standard }
    let body = RequestBody.stream(NotingBody(places: places), contentType: "text/plain")
    let (_, results) = bench.send(TestRequest(path: "https://api.example.com/a", method: .put, body: body))
    await answer(bench, status, ["Location": "/b"])
    places.shared.sync { bench.clock.advance(by: 1) }
    await bench.passAppCode()
    await expectSuccess(bench, results, notes: ["body", "body"])
  }

  @Test(arguments: [false, true])
  func retryIsAuthorizedOffTheSharedThread(isAtOnce: Bool) async {
    let bench = bench { $0.retry = .standard }
    let (_, results) = bench.send(authorization: signer())
    if isAtOnce {
      var error = TransportError(.connectionLost, message: "closed", mayHaveReachedServer: true)
      error.isStaleConnection = true
      places.shared.sync { bench.session.open.first?.fail(error) }
    } else {
      await answer(bench, 503)
      places.shared.sync { bench.clock.advance(by: 1) }
    }
    await bench.passAppCode()
    await expectSuccess(bench, results, notes: ["token", "signature of /a", "token", "signature of /a"])
  }

  @Test func requestAfterNetworkWaitRunsOffTheSharedThread() async {
    let bench = bench { $0.connectivity = .wait(upTo: 10, interval: 1) }
    bench.reachability.set(isConnected: false)
    let (_, results) = bench.send(authorization: signer())
    bench.reachability.set(isConnected: true)
    places.shared.sync { bench.clock.advance(by: 1) }
    await bench.passAppCode()
    await expectSuccess(bench, results, notes: ["token", "signature of /a"])
  }

  @Test func readingAndCompletionsRunOffTheSharedThread() async {
    let places = places
    let bench = bench { configuration in
      configuration.validators = [ResponseValidator { _ in places.note("validator") }]
    }
    let parser = ResponseParser<Int> { response in
      places.note("parser")
      return response.statusCode
    }
    let results = Collector<Int?>()
    bench.service.sendRequest(TestRequest(), parser: parser, callbackQueue: bench.queue) { result in
      places.note("completion")
      results.append(try? result.get())
    }
    await answer(bench)
    await bench.settle()
    #expect(results.elements == [200])
    #expect(places.notes.elements == ["validator", "parser", "completion"])
  }

  @Test func plainRequestStaysOnTheSharedThread() async {
    let bench = bench { $0.retry = .standard }
    let (_, results) = bench.send(authorization: .basic(user: "u", password: "p"))
    bench.session.open.first?.answer(302, ["Location": "/b"])
    #expect(bench.session.exchanges.count == 2)
    bench.session.open.first?.answer(503)
    bench.clock.advance(by: 1)
    #expect(bench.session.exchanges.count == 3)
    await expectSuccess(bench, results, notes: [])
  }

  @Test(arguments: [401, 302])
  func endedRequestAsksNothing(status: Int) async {
    let bench = bench()
    let (task, results) = bench.send(authorization: signer())
    holdingAppCode {
      bench.session.open.first?.answer(status, ["Location": "/b"])
      task.cancel()
    }
    await bench.passAppCode()
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [.cancelled])
    #expect(places.notes.elements == ["token", "signature of /a"])
    #expect(bench.session.exchanges.count == 1)
    bench.expectNothingLeft()
  }

  @Test func sessionThatCompletesTwiceIsFollowedOnce() async {
    let bench = bench()
    let (_, results) = bench.send(authorization: signer())
    holdingAppCode {
      bench.session.exchanges.first?.answer(302, ["Location": "/b"])
      bench.session.exchanges.first?.answerLate(302, ["Location": "/b"])
    }
    await bench.passAppCode()
    await answer(bench)
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    #expect(bench.session.exchanges.map(\.path) == ["/a", "/b"])
    #expect(bench.story().filter { $0 == "redirected" }.count == 1)
    bench.expectNothingLeft()
  }
}
