import Foundation

/// Runs every measurement in its own process, one after another.
struct Runner {
  /// The contenders of `concurrency`: this library, AsyncHTTPClient, and libcurl without a client around it.
  private static let concurrent = [
    "webservices", "webservices-async", "asynchttpclient", "asynchttpclient-feather", "asynchttpclient-futures",
    "curl-loop", "curl-loop-feather", "curl-loop-feather-async",
  ]

  let rounds: Int
  let seconds: Double
  private let workloads: [Workload]
  private let contenders: [Contender]
  private let requests: Int
  private let server: String

  init(_ command: String, _ options: inout Options) throws {
    guard let all = Workload.selections[command] else { throw UsageError("there is no command \"\(command)\"") }
    let isConcurrent = command == "concurrency"
    let names = try options.names("only", of: all.map(\.identifier))
    let contenders = try options.names(
      "contenders", of: Contender.all.map(\.identifier), default: isConcurrent ? Self.concurrent : nil)
    workloads = all.filter { names.contains($0.identifier) }
    self.contenders = Contender.all.filter { contenders.contains($0.identifier) }
    rounds = try options.number("rounds", isConcurrent ? 5 : 3, atLeast: 1)
    seconds = try options.number("seconds", 2.0, atLeast: 0.1)
    requests = try options.number("requests", 200_000, atLeast: 100)
    server = options.text("server") ?? "automatic"
    try options.end()
  }

  func run() async throws {
    Interruption.handle()
    let servers = try await Servers(server)
    CSV.put(CSV.head)
    for workload in workloads where servers.address(for: workload) == nil {
      CSV.note("Left out: \(workload.identifier), which needs nginx with TLS and the openssl command.")
    }
    // In each round every contender runs a workload once, so that changes of the machine's load affect all of them.
    for round in 0..<rounds {
      for workload in workloads where workload.subject == .speed || round == 0 {
        guard let address = servers.address(for: workload) else { continue }
        let able = contenders.filter { $0.canRun(workload) }
        // Each round begins with another contender, so that none always follows the same one.
        let offset = able.isEmpty ? 0 : round % able.count
        for contender in able[offset...] + able[..<offset] {
          measure(contender, workload, round, address, servers)
        }
      }
    }
    Circumstances.write(self, servers)
    servers.stop()
  }

  private func measure(
    _ contender: Contender, _ workload: Workload, _ round: Int, _ server: (url: String, certificate: String?),
    _ servers: Servers
  ) {
    let arguments = [
      "measure", "--contender", contender.identifier, "--workload", workload.identifier, "--seconds", "\(seconds)",
      "--requests", "\(requests)", "--round", "\(round)", "--url", server.url,
    ]
    let place = "\(contender.identifier) on \(workload.identifier), round \(round + 1)"
    let connections = servers.connectionCount(for: workload)
    let failure = ChildProcess.figures(arguments + (server.certificate.map { ["--certificate", $0] } ?? []))
    CSV.progress("\(place): \(failure ?? "done")")
    if let failure { CSV.note("Problem: \(place): \(failure)") }
    if let connections, let now = servers.connectionCount(for: workload), workload.subject != .speed {
      CSV.write(workload.title, contender.title, "connections", Double(now - connections))
    }
  }
}
