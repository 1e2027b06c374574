import Foundation
import WebServices

/// Runs a plan with real clients and servers on this machine.
struct Run: Sendable {
  private let plan: Plan
  private let recorder = Recorder()
  /// Whether the process does nothing else, so that its resources can be counted.
  private let isAlone: Bool
  private let directory: URL

  /// The most calls in progress.
  private static let crowd = 12
  /// The seconds to wait for anything that must end.
  static let patience = 30.0

  init(_ plan: Plan, isAlone: Bool) throws {
    self.plan = plan
    self.isAlone = isAlone
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("RandomRun-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  func record() async throws -> Record {
    defer { try? FileManager.default.removeItem(at: directory) }
    try Data(repeating: 0xFD, count: 3000).write(to: directory.appendingPathComponent("upload.bin"))
    let before = ProcessFigures.now()
    let heartbeat = Heartbeat(directory: directory.deletingLastPathComponent())
    try await carryOut()
    let beat = heartbeat.stop()
    if isAlone { await lookForLeftovers(since: before) }
    return Record(
      entries: recorder.entries, longestStall: beat.longestStall,
      growth: isAlone ? beat.mostMemory - before.memory : nil)
  }

  private func carryOut() async throws {
    let origins = try (0..<Plan.originCount).map { try Origin($0, plan: plan, recorder: recorder) }
    let bases = origins.map { $0.server.baseURL }
    origins.forEach { $0.setBases(bases.map(\.absoluteString)) }
    let clients = plan.clients.map { Client($0, base: bases[$0.origin], directory: directory, recorder: recorder) }
    for step in plan.steps { await perform(step, clients) }
    await waitForCalls(below: 1, seconds: Self.patience)
    await finish(clients, origins)
  }

  // MARK: Steps

  private func perform(_ step: Step, _ clients: [Client]) async {
    switch step {
    case .call(let call):
      await waitForCalls(below: Self.crowd, seconds: Self.patience)
      await wait(upTo: 5) { recorder.reserve(call.number) }
      clients[call.client].start(call)
    case .cancel(let number):
      recorder.add(.cancelled(call: number))
      clients.forEach { $0.cancel(number) }
    case .waitForServer(let call): await wait(upTo: 0.6) { recorder.isReceived(call) }
    case .pause(let milliseconds): await sleep(Double(milliseconds) / 1000)
    case .settle: await waitForCalls(below: 1, seconds: 3)
    }
  }

  private func waitForCalls(below count: Int, seconds: Double) async {
    await wait(upTo: seconds) { recorder.openCalls.count < count }
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

  private func sleep(_ seconds: Double) async {
    try? await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
  }

  // MARK: The end

  private func finish(_ clients: [Client], _ origins: [Origin]) async {
    if await !wait(upTo: 10, until: { clients.allSatisfy { $0.service.requestCount == 0 } }) {
      recorder.add(.left("\(clients.map(\.service.requestCount)) requests in the clients"))
    }
    clients.forEach { $0.close() }
    if await !wait(upTo: 15, until: { origins.allSatisfy { $0.server.openConnections == 0 } }) {
      recorder.add(.left("\(origins.map(\.server.openConnections)) connections to the servers"))
    }
    origins.forEach { $0.stop() }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    for file in files where file != "upload.bin" {
      recorder.add(.left("the file \(file)"))
    }
  }

  private func lookForLeftovers(since before: ProcessFigures) async {
    var additions: [String] = []
    let isClean = await wait(upTo: 10) {
      additions = ProcessFigures.now().additions(since: before)
      return additions.isEmpty
    }
    if !isClean { additions.forEach { recorder.add(.left($0)) } }
  }
}
