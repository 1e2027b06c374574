import Foundation
import WebServices

/// Runs a plan with real clients and servers on this machine.
struct Run: Sendable {
  let plan: Plan
  /// Whether the process does nothing else, so that its resources can be counted.
  let isAlone: Bool
  private let recorder = Recorder()
  private let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("RandomRun-\(UUID().uuidString)")

  /// The most calls in progress.
  private static let crowd = 12
  static let upload = "upload.bin"

  init(_ plan: Plan, isAlone: Bool) { (self.plan, self.isAlone) = (plan, isAlone) }

  func record() async throws -> Record {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try Data(repeating: 0xFD, count: 3000).write(to: directory.appendingPathComponent(Self.upload))
    let before = ProcessFigures()
    let heartbeat = Heartbeat(file: directory.appendingPathExtension("heartbeat"))
    let origins = try (0..<Plan.originCount).map { try Origin($0, plan: plan, recorder: recorder) }
    let bases = origins.map { $0.server.baseURL }
    origins.forEach { $0.setBases(bases.map(\.absoluteString)) }
    let clients = plan.clients.enumerated().map {
      Client($1, origin: $0, base: bases[$0], directory: directory, recorder: recorder)
    }
    for step in plan.steps { await perform(step, clients) }
    await finish(clients, origins)
    let beat = heartbeat.stop()
    if isAlone { await wait(upTo: 10, for: { ProcessFigures().additions(since: before) }, until: \.isEmpty) }
    return Record(
      entries: recorder.entries, longestStall: beat.longestStall,
      growth: isAlone ? beat.mostMemory - before.memory : nil)
  }

  private func perform(_ step: Step, _ clients: [Client]) async {
    switch step {
    case .call(let call):
      // A client couldn't tell the response to another call from bytes that nobody requested.
      let isAlone = call.script.contains(where: \.isPush)
      await waitForCalls(below: isAlone ? 1 : Self.crowd)
      clients[call.client].start(call)
      guard isAlone else { return }
      await waitForCalls(below: 1)
      // Nothing is pushed if the client has closed the connection.
      await wait(upTo: 1) { recorder.hasPushed(call.number) }
    case .cancel(let number):
      recorder.add(.cancelled(call: number))
      clients.forEach { $0.cancel(number) }
    case .waitForServer(let call): await wait(upTo: 0.6) { recorder.isReceived(call) }
    case .pause(let milliseconds): await sleep(Double(milliseconds) / 1000)
    case .settle: await waitForCalls(below: 1)
    }
  }

  /// Ends everything, and records what is left.
  private func finish(_ clients: [Client], _ origins: [Origin]) async {
    await waitForCalls(below: 1)
    await wait(upTo: 10, for: { clients.map(\.service.requestCount).filter { $0 > 0 } }, until: \.isEmpty)
    clients.forEach { $0.close() }
    await wait(upTo: 15, for: { origins.map(\.server.openConnections).filter { $0 > 0 } }, until: \.isEmpty)
    origins.forEach { $0.stop() }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    for file in files where file != Self.upload { recorder.add(.broken("the file \(file) is left")) }
  }

  // MARK: Waiting

  private func waitForCalls(below count: Int) async { await wait(upTo: 30) { recorder.openCalls < count } }

  /// Waits until nothing is left, and records what still is.
  private func wait<Found>(upTo seconds: Double, for found: () -> Found, until isMet: (Found) -> Bool) async {
    if await !wait(upTo: seconds, until: { isMet(found()) }) { recorder.add(.broken("left: \(found())")) }
  }

  @discardableResult
  private func wait(upTo seconds: Double, until isMet: () -> Bool) async -> Bool {
    let end = recorder.time + seconds
    while !isMet() {
      guard recorder.time < end else { return false }
      await sleep(0.002)
    }
    return true
  }

  private func sleep(_ seconds: Double) async { try? await Task.sleep(nanoseconds: UInt64(seconds * 1e9)) }
}
