import Foundation
import WebServices
import WebServicesTesting

/// A client of a run: a service, its user's token, and the queue of its completions.
final class Client: Sendable {
  let plan: ClientPlan
  let service: JsonWebService
  let recorder: Recorder
  let directory: URL
  let queue: DispatchQueue
  private let tasks = Guarded<[Int: @Sendable () -> Void]>([:])

  private static let name = "origin.test"
  private static let key = DispatchSpecificKey<Int>()

  init(_ plan: ClientPlan, base: URL, directory: URL, recorder: Recorder) {
    self.plan = plan
    self.recorder = recorder
    self.directory = directory
    queue = DispatchQueue(label: "RandomRun.client.\(plan.origin)")
    queue.setSpecific(key: Self.key, value: plan.origin)
    let session = plan.hasName ? Self.sessionWithName(base) : nil
    let named = URL(string: "http://\(Self.name):\(base.port ?? 80)")
    let configuration = Self.configuration(plan, session == nil ? base : named, recorder)
    let manager = BasicAuthManager(clock: SystemClock.shared)
    manager.update(apiToken: Secret(home: plan.origin, number: 1).text, secondsRemaining: 600)
    service = JsonWebService(
      session: session, tokenManager: manager, reachability: FakeReachability(), configuration: configuration)
    recorder.check("configuration", "\(configuration)")
  }

  private static func configuration(_ plan: ClientPlan, _ base: URL?, _ recorder: Recorder) -> WebServiceConfiguration {
    var configuration = WebServiceConfiguration(baseURL: base, timeout: plan.timeout)
    configuration.headers["X-Api-Key"] = Secret(home: plan.origin, number: 6).text
    configuration.deadline = plan.deadline
    // A redirect that isn't followed is an ordinary response, whose endless body would fill the memory up to the limit.
    if !plan.followsRedirects { configuration.responseLimit = 4 << 20 }
    configuration.redirects = plan.followsRedirects ? .follow : .doNotFollow
    configuration.retry = RetryPolicy(
      attemptLimit: plan.retries + 1, backoff: RetryPolicy.Backoff(base: 0.05, factor: 2, limit: 0.2))
    configuration.layers = plan.hasCache ? [.cache(ResponseCache())] : []
    let log = RequestLog(level: .debug) { recorder.check("log entry", "\($0)") }
    configuration.monitors = [Listener(recorder: recorder), log]
    return configuration
  }

  /// A session that knows the name as an address of this machine; `nil` if there is none.
  private static func sessionWithName(_ base: URL) -> (any URLSessionProtocol)? {
    #if os(Linux)
      var configuration = TransportConfiguration()
      configuration.addresses = ["\(name):\(base.port ?? 80)": "127.0.0.1"]
      return try? CurlSession(configuration: configuration)
    #else
      return nil
    #endif
  }

  var isOnQueue: Bool { DispatchQueue.getSpecific(key: Self.key) == plan.origin }

  func keep(_ call: Int, _ cancel: @escaping @Sendable () -> Void) { tasks.withLock { $0[call] = cancel } }

  func cancel(_ call: Int) { tasks.withLock { $0[call] }?() }

  func close() {
    tasks.withLock { $0 = [:] }
    service.invalidateAndCancel()
  }
}

/// Reads the description of every event.
private struct Listener: RequestMonitor {
  let recorder: Recorder

  func record(_ event: RequestEvent) { recorder.check("event", "\(event)") }
}
