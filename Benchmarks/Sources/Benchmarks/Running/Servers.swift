import Foundation

/// The servers of a run, each in its own process.
struct Servers {
  private let own: ServerProcess
  let nginx: Nginx?

  /// - Parameter choice: `automatic`, which uses nginx if the machine has it, `nginx` or `own`.
  init(_ choice: String) async throws {
    guard ["automatic", "nginx", "own"].contains(choice) else {
      throw UsageError("--server takes automatic, nginx or own, not \"\(choice)\"")
    }
    let program = choice == "own" ? nil : Tool("nginx")
    if choice == "nginx", program == nil { throw ServerFailure(reason: "this machine has no nginx") }
    own = try ServerProcess()
    if let program {
      nginx = try await Nginx(program: program)
    } else {
      nginx = nil
    }
  }

  /// The address of the server for a workload, and the certificate to trust; `nil` if this run has no such server.
  func address(for workload: Workload) -> (url: String, certificate: String?)? {
    switch workload.server {
    case .fast: (nginx?.url ?? own.url, nil)
    case .own: (own.url, nil)
    case .tls: nginx?.secure.map { ($0.url, $0.certificate.path) }
    case .http2: nginx?.secure.map { ($0.http2URL, $0.certificate.path) }
    }
  }

  /// The number of connections that the workload's server has accepted; `nil` if it doesn't count them.
  func connectionCount(for workload: Workload) -> Int? {
    workload.server == .own ? own.connectionCount : nil
  }

  /// The servers' names and versions.
  var description: String {
    let own = "the package's own server (SwiftNIO, one thread)"
    guard let nginx else { return "\(own); nginx isn't used" }
    return "\(nginx.version) (one process; over TLS with a key on P-256) for JSON and downloads, \(own) for delays, "
      + "uploads, growth and outstanding requests"
  }

  func stop() {
    own.stop()
    nginx?.stop()
  }
}
