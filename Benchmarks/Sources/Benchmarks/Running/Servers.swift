import BenchmarkReport
import Foundation

/// The servers of a run, each in its own process.
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

  /// The URL of the server for a workload.
  func url(for workload: Workload) -> String {
    workload.server == .fast ? nginx?.url ?? own.url : own.url
  }

  /// The number of connections that the workload's server has accepted; `nil` if it doesn't count them.
  func connectionCount(for workload: Workload) -> Int? {
    workload.server == .own ? own.connectionCount : nil
  }

  /// The servers' names and versions.
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
