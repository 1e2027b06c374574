import Foundation
import WebServices
import WebServicesTesting

/// A client of a run: a service, its user's token, and the queue of its completions.
final class Client: Sendable {
  let service: JsonWebService
  private let origin: Int
  private let recorder: Recorder
  private let directory: URL
  private let queue: DispatchQueue
  private let cancels = Locked<[Int: @Sendable () -> Void]>([:])

  private static let key = DispatchSpecificKey<Int>()

  init(_ plan: ClientPlan, origin: Int, base: URL, directory: URL, recorder: Recorder) {
    (self.origin, self.recorder, self.directory) = (origin, recorder, directory)
    queue = DispatchQueue(label: "RandomRun.client.\(origin)")
    queue.setSpecific(key: Self.key, value: origin)
    var configuration = WebServiceConfiguration(baseURL: base, timeout: plan.timeout)
    configuration.headers["X-Api-Key"] = Origin.secret(of: origin)
    configuration.deadline = plan.deadline
    configuration.retry = RetryPolicy(
      attemptLimit: plan.attempts, backoff: RetryPolicy.Backoff(base: 0.05, factor: 2, limit: 0.2))
    configuration.layers = plan.hasCache ? [.cache(ResponseCache())] : []
    configuration.monitors = [RequestLog(level: .debug) { recorder.search("\($0)") }]
    let manager = BasicAuthManager()
    manager.update(apiToken: Origin.secret(of: origin), secondsRemaining: 600)
    service = JsonWebService(
      tokenManager: manager, reachability: FakeReachability(), configuration: configuration)
  }

  func cancel(_ call: Int) { cancels.withLock { $0[call] }?() }

  func close() {
    cancels.withLock { $0 = [:] }
    service.invalidateAndCancel()
  }

  /// Starts a call, and records everything that it delivers.
  func start(_ call: CallPlan) {
    let request = Request(
      "c/\(call.number)/0", HTTPMethod(rawValue: call.method), body: body(of: call),
      authorization: call.hasToken ? .bearer : .none,
      options: RequestOptions { ($0.timeout, $0.deadline) = (call.timeout, call.deadline) })
    recorder.add(.started(call: call.number))
    let lines = Locked<[String]>([])
    let task: any CancellableCall
    switch call.form {
    case .completion:
      task = service.sendRequest(request, parser: .response, callbackQueue: queue) { [self] in end(call, $0) }
    case .awaited:
      task = run(call) { [service] in try await service.sendRequest(request, parser: .response) }
    case .streamed:
      task = service.stream(request, as: .lines, callbackQueue: queue) { line in
        lines.withLock { $0.append(line) }
      } completion: { [self] in
        end(call, $0, lines.withLock { $0 })
      }
    case .streamAwaited:
      task = run(call, lines) { [service] in
        let stream = try await service.stream(request, as: .lines)
        for try await line in stream { lines.withLock { $0.append(line) } }
        return stream.response
      }
    case .download:
      let file = directory.appendingPathComponent("download-\(call.number)")
      task = service.download(request, to: file, callbackQueue: queue) { [self] result in
        let content = try? Data(contentsOf: file, options: .alwaysMapped)
        if (content == nil) != ((try? result.get()) == nil) {
          recorder.add(.broken("the file of call \(call.number) is \(content == nil ? "missing" : "there")"))
        }
        // The run may end as soon as the call has ended.
        try? FileManager.default.removeItem(at: file)
        end(call, result, content.map { Self.lines(of: $0, call) } ?? [])
      }
    }
    cancels.withLock { $0[call.number] = { task.cancel() } }
  }

  private func run(
    _ call: CallPlan, _ lines: Locked<[String]>? = nil,
    _ receive: @escaping @Sendable () async throws -> WebServiceResponse
  ) -> Task<Void, Never> {
    Task { [self] in
      do {
        end(call, .success(try await receive()), lines?.withLock { $0 }, isInPlace: true)
      } catch {
        let error = error as? WebServiceError ?? WebServiceError(.unexpected, underlying: error)
        end(call, .failure(error), lines?.withLock { $0 }, isInPlace: true)
      }
    }
  }

  private func body(of call: CallPlan) -> RequestBody? {
    let secret = Origin.secret(of: origin)
    switch call.body {
    case .none: return nil
    case .json: return .json(["password": secret])
    case .largeJSON: return .json(["filler": String(repeating: "x", count: 300_000), "password": secret])
    case .file: return .file(directory.appendingPathComponent(Run.upload))
    case .stream, .streamOnce:
      return .stream(Filler(), contentType: "application/octet-stream", isReplayable: call.body == .stream)
    }
  }

  private static func lines(of data: Data, _ call: CallPlan) -> [String] {
    if case .decompressionBomb(let megabytes)? = call.script.first {
      return data.count == megabytes << 20 && data.last == 0 ? call.content : []
    }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func end(
    _ call: CallPlan, _ result: Result<WebServiceResponse, WebServiceError>, _ lines: [String]? = nil,
    isInPlace: Bool? = nil
  ) {
    var outcome = Outcome(isInPlace: isInPlace ?? (DispatchQueue.getSpecific(key: Self.key) == origin))
    var response = try? result.get()
    outcome.lines = lines ?? response.map { Self.lines(of: $0.body, call) } ?? []
    if case .failure(let error) = result {
      response = error.response
      outcome.failure = "\(error.kind)"
      var text = "\(error) \(error.friendlyDescription)"
      dump(error, to: &text)
      recorder.search(text)
    }
    outcome.call = response?.headers[Origin.callField].flatMap { Int($0) }
    outcome.pushed = response?.headers[Origin.pushedField].flatMap { Int($0) }
    recorder.add(.ended(call: call.number, outcome))
  }
}

private protocol CancellableCall: Sendable { func cancel() }
extension WebServiceTask: CancellableCall {}
extension Task: CancellableCall {}

extension Recorder {
  /// Searches a text of the library for secrets.
  fileprivate func search(_ text: String) {
    guard let range = text.range(of: Origin.secret) else { return }
    add(.broken("a text has a secret: \(text[..<range.upperBound].suffix(80))"))
  }
}

/// The pieces of a body, which are generated while they are sent.
private struct Filler: AsyncSequence, Sendable {
  struct AsyncIterator: AsyncIteratorProtocol {
    var left = 5

    mutating func next() async -> Data? {
      left -= 1
      return left < 0 ? nil : Data(repeating: 0xFE, count: 1000)
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
