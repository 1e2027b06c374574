import BenchmarkServer
import Foundation

/// The package's own server in a process of its own.
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

  /// How many connections the server has seen; `nil` where it doesn't answer.
  var connectionCount: Int? {
    struct Statistics: Decodable {
      var connections: Int
    }
    guard let url = URL(string: url + "/statistics"), let data = try? Data(contentsOf: url) else {
      return nil
    }
    return try? JSONDecoder().decode(Statistics.self, from: data).connections
  }

  /// What the child does: it serves until its standard input ends, which it also does when the parent is gone.
  static func serve() async throws {
    let server = try await HTTPServer.start()
    FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
    _ = FileHandle.standardInput.readDataToEndOfFile()
    try await server.stop()
  }
}

/// A server that isn't there.
struct ServerFailure: Error, CustomStringConvertible {
  let reason: String
  var description: String { reason }
}
