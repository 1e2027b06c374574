import Foundation
import WebServices

extension Client {
  /// Starts a call, and records everything that it delivers.
  func start(_ call: CallPlan) async {
    let request = SentRequest(call: call, origin: plan.origin, file: directory.appendingPathComponent("upload.bin"))
    switch (owner.plan.kind, call.form) {
    case (.server, .completion), (.server, .download): await startOnServer(call, request)
    case (.server, _): startAwaitedOnServer(call, request)
    case (.tokens, .completion): await onQueue(call) { self.complete(call, request, with: $0) }
    case (.tokens, .streamed): await onQueue(call) { self.stream(call, request, with: $0) }
    case (.tokens, .download): await onQueue(call) { self.download(call, request, with: $0) }
    case (.tokens, .awaited):
      await onActor(call) { try await self.delivery($0.sendRequest(request, parser: .response, on: $1)) }
    case (.tokens, .pages): await onActor(call) { service, _ in try await self.pages(request, from: service) }
    case (.tokens, .streamAwaited): await onActor(call) { try await self.read(call, request, from: $0, on: $1) }
    case (.tokens, .events): await onActor(call) { try await self.follow(call, request, from: $0, on: $1) }
    }
  }

  // MARK: Forms with a completion

  private func onQueue(_ call: CallPlan, _ start: @escaping @Sendable (JsonWebService) -> WebServiceTask) async {
    await owner.perform { [self] _ in begin(call, start) }
  }

  /// Starts a call with a completion, on the owner's queue.
  func begin(_ call: CallPlan) {
    let request = SentRequest(call: call, origin: plan.origin, file: directory.appendingPathComponent("upload.bin"))
    begin(call) { complete(call, request, with: $0) }
  }

  private func begin(_ call: CallPlan, _ start: (JsonWebService) -> WebServiceTask) {
    guard let (service, generation) = service else { return recorder.release(call.number) }
    recorder.add(.started(call: call.number, generation: generation))
    keep(start(service), of: call.number)
  }

  private func complete(
    _ call: CallPlan, _ request: SentRequest, with service: JsonWebService
  ) -> WebServiceTask {
    if let command = try? service.curlCommand(for: request) { recorder.check("cURL line", "\(command)") }
    return service.sendRequest(request, parser: .response, callbackQueue: owner.queue) { [self] result in
      end(call, result.map { delivery($0) }.mapError { $0 })
    }
  }

  private func stream(_ call: CallPlan, _ request: SentRequest, with service: JsonWebService) -> WebServiceTask {
    let lines = Guarded<[Line?]>([])
    return service.stream(request, as: .jsonLines(Line.self), callbackQueue: owner.queue) { [self] line in
      lines.withLock { $0.append(line) }
      recorder.add(.element(call: call.number, Delivery([line])))
    } completion: { [self] result in
      end(call, result.map { delivery($0, reading: Delivery(lines.withLock { $0 })) }.mapError { $0 })
    }
  }

  private func download(_ call: CallPlan, _ request: SentRequest, with service: JsonWebService) -> WebServiceTask {
    let folder = call.keptFile.map { directory.appendingPathComponent("kept-\($0)") }
    if let folder { try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    let file = folder?.appendingPathComponent("file") ?? directory.appendingPathComponent("download-\(call.number)")
    let (identity, generation) = (owner.identity, self.service?.generation)
    if let folder { keptDownloads.withLock { $0[folder, default: 0] += 1 } }
    return service.download(request, to: file, callbackQueue: owner.queue) { [self] result in
      let given = result.map { delivery($0, reading: contents(of: file, for: call)) }.mapError { $0 as any Error }
      let isThere = FileManager.default.fileExists(atPath: file.path)
      if isThere != ((try? result.get()) != nil) {
        recorder.add(.left("download \(call.number): the file is \(isThere ? "there" : "missing")"))
      }
      if let folder, endKeptDownload(in: folder), case .failure(let error) = result, error.kind == .cancelled,
        owner.identity != identity, self.service?.generation == generation,
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path), !names.isEmpty
      {
        recorder.add(.left("download \(call.number): \(names.count) hidden files of a former user"))
      }
      // The run may end as soon as the call has ended, so the file is removed first.
      try? FileManager.default.removeItem(at: file)
      end(call, given)
    }
  }

  /// - Returns: whether no other download to the folder is in progress, which may have hidden files of its own.
  private func endKeptDownload(in folder: URL) -> Bool {
    keptDownloads.withLock { downloads in
      downloads[folder, default: 0] -= 1
      return downloads[folder] == 0
    }
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

  private func startOnServer(_ call: CallPlan, _ request: SentRequest) async {
    await owner.perform { [self] owner in
      guard let server = owner.server else { return recorder.release(call.number) }
      recorder.add(.started(call: call.number, generation: 0))
      let task = server.request(
        type: request.method, path: call.path, timeout: call.timeout, send: Server.Send(request.body),
        take: Server.Take(.response), callbackQueue: owner.queue
      ) { [self] result in
        end(call, result.map { delivery($0) }.mapError { $0 })
      }
      keep(task, of: call.number)
    }
  }

  // MARK: Awaited forms

  private func onActor(
    _ call: CallPlan, _ receive: @escaping @Sendable (JsonWebService, isolated Owner) async throws -> Delivery
  ) async {
    let (started, continuation) = AsyncStream<Void>.makeStream()
    let task = Task { [self] in await run(call, on: owner, onStart: { continuation.finish() }, receive) }
    keep(task, of: call.number)
    for await _ in started {}
  }

  private func run(
    _ call: CallPlan, on owner: isolated Owner, onStart: () -> Void,
    _ receive: @escaping @Sendable (JsonWebService, isolated Owner) async throws -> Delivery
  ) async {
    let current = service
    if let current { recorder.add(.started(call: call.number, generation: current.generation)) }
    onStart()
    guard let (service, _) = current else { return recorder.release(call.number) }
    do {
      let delivery = try await receive(service, owner)
      end(call, .success(delivery), isInPlace: true)
    } catch {
      end(call, .failure(error), isInPlace: true)
    }
  }

  private func read(
    _ call: CallPlan, _ request: SentRequest, from service: JsonWebService, on owner: isolated Owner
  ) async throws -> Delivery {
    let stream = try await service.stream(request, as: .jsonLines(Line.self))
    var lines: [Line?] = []
    for try await line in stream {
      lines.append(line)
      recorder.add(.element(call: call.number, Delivery([line])))
    }
    return delivery(stream.response, reading: Delivery(lines))
  }

  private func follow(
    _ call: CallPlan, _ request: SentRequest, from service: JsonWebService, on owner: isolated Owner
  ) async throws -> Delivery {
    let policy = ReconnectionPolicy(attemptLimit: 3, delay: 0.05, delayLimit: 0.2)
    var delivery = Delivery()
    for try await event in service.serverSentEvents(request, reconnecting: policy) {
      delivery = Delivery([try? JSONDecoder().decode(Line.self, from: Data(event.data.utf8))])
      delivery.isWhole = nil
      recorder.add(.element(call: call.number, delivery))
    }
    return delivery
  }

  /// The last of three pages.
  private func pages(_ request: SentRequest, from service: JsonWebService) async throws -> Delivery {
    let paging = Paging<WebServiceResponse> { _, request in
      let number = request.headers["X-Page"].flatMap { Int($0) } ?? 0
      return number < 2 ? request.header("X-Page", "\(number + 1)") : nil
    }
    let pages = service.pages(of: request, parser: .response, by: paging)
    return try await pages.collect().last.map { delivery($0) } ?? Delivery()
  }

  private func startAwaitedOnServer(_ call: CallPlan, _ request: SentRequest) {
    let task = Task { [self] in await runOnServer(call, request, on: owner) }
    keep(task, of: call.number)
  }

  private func runOnServer(_ call: CallPlan, _ request: SentRequest, on owner: isolated Owner) async {
    guard let server = owner.server else { return recorder.release(call.number) }
    recorder.add(.started(call: call.number, generation: 0))
    do {
      let response = try await server.request(
        type: request.method, path: call.path, timeout: call.timeout, send: Server.Send(request.body),
        take: Server.Take(.response))
      end(call, .success(delivery(response)), isInPlace: true)
    } catch {
      end(call, .failure(error), isInPlace: true)
    }
  }

  // MARK: Deliveries

  private func delivery(_ response: WebServiceResponse) -> Delivery {
    delivery(response, reading: response.body.isEmpty ? Delivery() : Delivery(response.body))
  }

  private func delivery(_ response: WebServiceResponse, reading: Delivery) -> Delivery {
    var delivery = reading
    delivery.status = response.statusCode
    delivery.reception = response.headers[ResponseComposer.receptionField]
    delivery.pushed = response.headers[ResponseComposer.pushedField]
    return delivery
  }

  /// Records the end of a call. No other work of the owner runs between the result and this record.
  private func end(_ call: CallPlan, _ result: Result<Delivery, any Error>, isInPlace: Bool? = nil) {
    let isInPlace = isInPlace ?? owner.isOnQueue
    switch result {
    case .success(let delivery):
      recorder.add(.ended(call: call.number, Outcome(delivery: delivery, isInPlace: isInPlace)))
    case .failure(let error):
      let known = error as? WebServiceError
      var delivery = known?.response.map { self.delivery($0, reading: Delivery()) } ?? Delivery()
      delivery.status = known?.statusCode
      let failure = known.map { "\($0.kind)" } ?? "\(type(of: error))"
      recorder.add(.ended(call: call.number, Outcome(failure: failure, delivery: delivery, isInPlace: isInPlace)))
      let start = recorder.time
      check(error)
      recorder.add(.worded(call: call.number, seconds: recorder.time - start))
      owner.callFailed()
    }
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
