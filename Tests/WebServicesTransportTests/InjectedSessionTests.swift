@testable import WebServicesTestSupport
#if os(Linux)
  import Foundation
  import FoundationNetworking
  import Testing
  import WebServices
  import WebServicesTesting

  /// The behavior of a caller's `URLSession` on Linux that the library can't prevent, because Foundation doesn't call
  /// the delegate for tasks with a completion handler. `FoundationSession` avoids all of it.
  @Suite(.enabled(if: TransportKind.isFoundationTested), .timeLimit(.minutes(1)), .leavesNothing)
  struct InjectedSessionTests {
    @Test func completionOnAConcurrentQueueMayWait() async throws {
      struct Get: WebServiceRequestData {
        let path = "/"
      }
      let server = try LoopbackServer()
      server.route(.get, "/", .json("[1]"))
      let session = URLSession(configuration: .webServices, delegate: nil, delegateQueue: OperationQueue())
      let service = JsonWebService(session: session, configuration: WebServiceConfiguration(baseURL: server.url("/")))
      let queue = DispatchQueue(label: "completions", attributes: .concurrent)
      let models = Collector<[Int]?>()
      service.sendRequest(Get(), callbackQueue: queue) { (outer: WebServiceResult<[Int]>) in
        dispatchPrecondition(condition: .onQueue(queue))
        let isInnerOver = DispatchSemaphore(value: 0)
        service.sendRequest(Get(), callbackQueue: queue) { (inner: WebServiceResult<[Int]>) in
          models.append(try? inner.get())
          isInnerOver.signal()
        }
        isInnerOver.wait()
        models.append(try? outer.get())
      }
      await models.waitForElements(2)
      #expect(models.elements == [[1], [1]])
      service.invalidateAndCancel()
      server.stop()
    }
  }
#endif
