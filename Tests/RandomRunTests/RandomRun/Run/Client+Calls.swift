import Foundation
import WebServices

extension Client {
  /// Starts a call, and records everything that it delivers.
  func start(_ call: CallPlan) {
    let request = SentRequest(call: call, origin: plan.origin, file: directory.appendingPathComponent("upload.bin"))
    if let command = try? service.curlCommand(for: request) { recorder.check("cURL line", "\(command)") }
    recorder.add(.started(call: call.number))
    switch call.form {
    case .completion: complete(call, request)
    case .streamed: stream(call, request)
    case .download: download(call, request)
    case .awaited: run(call) { [self] in delivery(try await service.sendRequest(request, parser: .response)) }
    case .streamAwaited: run(call) { [self] in try await read(call, request) }
    }
  }

  private func complete(_ call: CallPlan, _ request: SentRequest) {
    let task = service.sendRequest(request, parser: .response, callbackQueue: queue) { [self] result in
      end(call, result.map { delivery($0) }.mapError { $0 })
    }
    keep(call.number) { task.cancel() }
  }

  private func stream(_ call: CallPlan, _ request: SentRequest) {
    let lines = Guarded<[Line?]>([])
    let task = service.stream(request, as: .jsonLines(Line.self), callbackQueue: queue) { [self] line in
      lines.withLock { $0.append(line) }
      recorder.add(.element(call: call.number, Delivery([line])))
    } completion: { [self] result in
      end(call, result.map { delivery($0, reading: Delivery(lines.withLock { $0 })) }.mapError { $0 })
    }
    keep(call.number) { task.cancel() }
  }

  private func download(_ call: CallPlan, _ request: SentRequest) {
    let file = directory.appendingPathComponent("download-\(call.number)")
    let task = service.download(request, to: file, callbackQueue: queue) { [self] result in
      let given = result.map { delivery($0, reading: contents(of: file, for: call)) }.mapError { $0 as any Error }
      let isThere = FileManager.default.fileExists(atPath: file.path)
      if isThere != ((try? result.get()) != nil) {
        recorder.add(.left("download \(call.number): the file is \(isThere ? "there" : "missing")"))
      }
      // The run may end as soon as the call has ended, so the file is removed first.
      try? FileManager.default.removeItem(at: file)
      end(call, given)
    }
    keep(call.number) { task.cancel() }
  }

  private func contents(of file: URL, for call: CallPlan) -> Delivery {
    var delivery = Delivery()
    for case .zeros(let megabytes) in call.script {
      delivery.isWhole = (try? FileHandle(forReadingFrom: file).seekToEnd()) == UInt64(megabytes << 20)
      return delivery
    }
    delivery.isWhole = false
    return (try? Data(contentsOf: file)).map { Delivery($0) } ?? delivery
  }

  private func run(_ call: CallPlan, _ receive: @escaping @Sendable () async throws -> Delivery) {
    let task = Task { [self] in
      do {
        end(call, .success(try await receive()), isInPlace: true)
      } catch {
        end(call, .failure(error), isInPlace: true)
      }
    }
    keep(call.number) { task.cancel() }
  }

  private func read(_ call: CallPlan, _ request: SentRequest) async throws -> Delivery {
    let stream = try await service.stream(request, as: .jsonLines(Line.self))
    var lines: [Line?] = []
    for try await line in stream {
      lines.append(line)
      recorder.add(.element(call: call.number, Delivery([line])))
    }
    return delivery(stream.response, reading: Delivery(lines))
  }

  // MARK: Deliveries

  private func delivery(_ response: WebServiceResponse, reading: Delivery? = nil) -> Delivery {
    var delivery = reading ?? (response.body.isEmpty ? Delivery() : Delivery(response.body))
    delivery.reception = response.headers[ResponseComposer.receptionField]
    delivery.pushed = response.headers[ResponseComposer.pushedField]
    return delivery
  }

  private func end(_ call: CallPlan, _ result: Result<Delivery, any Error>, isInPlace: Bool? = nil) {
    var outcome = Outcome(isInPlace: isInPlace ?? isOnQueue)
    switch result {
    case .success(let delivery): outcome.delivery = delivery
    case .failure(let error):
      let known = error as? WebServiceError
      outcome.failure = known.map { "\($0.kind)" } ?? "\(type(of: error))"
      outcome.delivery = known?.response.map { delivery($0, reading: Delivery()) } ?? Delivery()
      let start = recorder.time
      check(error)
      recorder.add(.worded(call: call.number, seconds: recorder.time - start))
    }
    recorder.add(.ended(call: call.number, outcome))
  }

  private func check(_ error: any Error) {
    recorder.check("error", "\(error)")
    var dumped = ""
    dump(error, to: &dumped)
    recorder.check("dump of an error", dumped)
    guard let error = error as? WebServiceError else { return }
    recorder.check("friendly description", error.friendlyDescription)
    if let underlying = error.underlying { recorder.check("underlying error", "\(underlying)") }
    if let response = error.response { recorder.check("response", "\(response)") }
  }
}
