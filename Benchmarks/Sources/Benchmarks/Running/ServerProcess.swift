import BenchmarkServer
import Foundation

/// The package's own server, in its own process.
struct ServerProcess {
  private let child: ChildProcess
  let url: String

  init() throws {
    child = try ChildProcess(arguments: ["serve"])
    guard let port = Int(child.readLine()), port > 0 else {
      child.stop()
      throw ServerFailure(reason: "the server of the package doesn't start")
    }
    url = "http://127.0.0.1:\(port)"
  }

  func stop() {
    child.stop()
  }

  /// The number of connections that the server has accepted; `nil` if the server doesn't respond.
  var connectionCount: Int? {
    struct Statistics: Decodable {
      var connections: Int
    }
    guard let url = URL(string: url + "/statistics"), let data = try? Data(contentsOf: url) else {
      return nil
    }
    return try? JSONDecoder().decode(Statistics.self, from: data).connections
  }

  /// Serves in the child process until standard input ends, which also happens when the parent dies.
  static func serve(_ options: inout Options) async throws {
    try options.end()
    let server = try await HTTPServer.start()
    FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
    _ = FileHandle.standardInput.readDataToEndOfFile()
    try await server.stop()
  }
}

/// A server that couldn't start.
struct ServerFailure: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}
