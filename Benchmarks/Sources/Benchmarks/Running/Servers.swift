import BenchmarkReport
import Foundation

/// The servers of a run, each in a process of its own.
struct Servers {
  private let own: ServerProcess
  let nginx: Nginx?

  init(_ choice: RunOptions.ServerChoice) async throws {
    let program = choice == .own ? nil : Nginx.program
    if choice == .nginx, program == nil { throw ServerFailure(reason: "this machine has no nginx") }
    own = try ServerProcess()
    if let program {
      nginx = try await Nginx(program: program)
    } else {
      nginx = nil
    }
  }

  /// Where a workload's requests go.
  func url(for workload: Workload) -> String {
    workload.server == .fast ? nginx?.url ?? own.url : own.url
  }

  /// How many connections the workload's server has seen, where it counts them.
  func connectionCount(for workload: Workload) -> Int? {
    workload.server == .own ? own.connectionCount : nil
  }

  /// Who answers, in words.
  var description: String {
    let own = "the package's own server (SwiftNIO, one thread)"
    guard let nginx else { return "\(own); nginx isn't used" }
    return "\(nginx.version) (one process) for JSON and downloads, \(own) for delays, uploads, growth and "
      + "outstanding requests"
  }

  func stop() {
    own.stop()
    nginx?.stop()
  }
}
