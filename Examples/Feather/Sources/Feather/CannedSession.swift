import Foundation
import WebServicesCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session without a network: it refuses the first request and gives a joke to each later one.
final class CannedSession: URLSessionProtocol {
  private let counter = Counter()

  func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> FinishedTask {
    let isFirst = counter.next() == 1
    let isSignedIn = request.value(forHTTPHeaderField: "Authorization") == "Bearer feather"
    let status = isFirst ? 503 : isSignedIn ? 200 : 401
    let response = request.url.flatMap {
      HTTPURLResponse(url: $0, statusCode: status, httpVersion: "HTTP/1.1", headerFields: [:])
    }
    completionHandler(Data(#"{"text": "A feather walks into a bar. Nobody hears it."}"#.utf8), response, nil)
    return FinishedTask()
  }
}

/// Counts from 1. The lock guards `count`.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func next() -> Int {
    lock.lock()
    defer { lock.unlock() }
    count += 1
    return count
  }
}

/// Says that there is a network, for requests that need none.
struct AlwaysConnected: ReachabilityCheckable {
  func isConnected() -> Bool { true }
}
