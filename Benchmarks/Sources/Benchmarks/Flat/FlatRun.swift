import Foundation

/// Measures how much memory large bodies take, each in its own process.
enum FlatRun {
  static func run(_ options: inout Options) throws {
    let rounds = try options.number("rounds", 3, atLeast: 1)
    try options.end()
    Interruption.handle()
    let server = try ServerProcess()
    defer { server.stop() }
    CSV.put(CSV.head)
    for subject in FlatCase.all {
      for (session, round) in FlatCase.Session.allCases.flatMap({ session in (0..<rounds).map { (session, $0) } }) {
        let arguments = ["--body", subject.name, "--session", session.rawValue, "--url", server.url]
        let failure = ChildProcess.figures(["memory-part"] + arguments + ["--round", "\(round)"])
        if let failure { CSV.note("Problem: \(subject.name), \(session.rawValue): \(failure)") }
      }
    }
    Circumstances.write(["Peak growth of resident memory beyond that of a small request, each in its own process."])
  }

  /// Runs one measurement in the child process.
  static func measure(_ options: inout Options) async throws {
    guard let subject = FlatCase.named(try options.required("body")),
      let session = FlatCase.Session(rawValue: try options.required("session")),
      let url = URL(string: try options.required("url"))
    else { throw UsageError("there is no such body or session") }
    let round = try options.number("round", 0, atLeast: 0)
    try options.end()
    let (growth, seconds) = try await subject.measure(session, url: url)
    CSV.write("Memory for 100 MB", subject.title, "\(session.rawValue), MB more", round: round, Double(growth) / 1e6)
    let speed = Double(FlatCase.bytes) / 1e6 / seconds
    CSV.write("Memory for 100 MB", subject.title, "\(session.rawValue), MB/s", round: round, speed)
  }
}
