import Foundation
import ImmediateSession
import WebServices

/// A service with one policy and a session that responds at once.
struct PolicyService {
  private let service: JsonWebService

  init(_ policy: Policy) {
    var configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com/v1"))
    configuration.retryBudget = .unlimited
    policy.configure(&configuration)
    let headers: HTTPHeaders = ["Content-Type": "application/json", "Cache-Control": "no-store"]
    let body = Data("{}".utf8)
    let session = ImmediateSession { request in
      .success(WebServiceResponse(statusCode: 200, headers: headers, url: request.url, body: body))
    }
    service = JsonWebService(session: session, reachability: AlwaysReachable(), configuration: configuration)
  }

  /// - Returns: nanoseconds of processor time per request. All work happens on one thread, so on an idle machine this
  ///   is also the duration.
  func measure(requests: Int) async throws -> Double {
    let start = clock()
    for _ in 0..<requests {
      _ = try await service.sendRequest(Request(), parser: .data)
    }
    return Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1e9 / Double(requests)
  }

  private struct Request: WebServiceRequestData {
    var path: String { "jokes" }
  }

  private struct AlwaysReachable: ReachabilityCheckable {
    func isConnected() -> Bool { true }
  }
}
