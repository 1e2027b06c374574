import BenchmarkServer
import Foundation

/// Runs nginx on the loopback interface with its own configuration and files in a temporary directory.
struct Nginx {
  private let child: ChildProcess
  /// The directory with the configuration and the served files. `stop()` deletes it.
  private let directory: URL
  let url: String
  /// The output of `nginx -v`.
  let version: String

  /// The path of nginx; `nil` if the machine doesn't have it.
  static var program: URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let usual = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/bin"]
    return (path.split(separator: ":").map(String.init) + usual)
      .map { URL(fileURLWithPath: $0).appendingPathComponent("nginx") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  init(program: URL) async throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "benchmarks-\(UUID().uuidString)")
    Interruption.remove(directory)
    let port = try FreePort.find()
    url = "http://127.0.0.1:\(port)"
    try Self.writeFiles(to: directory, port: port)
    version = Self.version(of: program)
    child = try ChildProcess(
      program: program, arguments: ["-p", directory.path, "-c", "nginx.conf", "-e", "error.log"])
    try await waitUntilItResponds()
  }

  func stop() {
    child.stop()
    try? FileManager.default.removeItem(at: directory)
  }

  private func waitUntilItResponds() async throws {
    for _ in 0..<100 where child.isRunning {
      if let url = URL(string: url + "/jokes"), (try? Data(contentsOf: url)) != nil { return }
      try await Task.sleep(for: .milliseconds(50))
    }
    stop()
    throw ServerFailure(reason: "nginx doesn't start")
  }

  private static func writeFiles(to directory: URL, port: Int) throws {
    let content = directory.appendingPathComponent("content")
    try FileManager.default.createDirectory(at: content, withIntermediateDirectories: true)
    try Data(configuration(port: port).utf8).write(to: directory.appendingPathComponent("nginx.conf"))
    try Data(Payloads.jokes.utf8).write(to: content.appendingPathComponent("jokes"))
    try Data(Payloads.manyJokes.utf8).write(to: content.appendingPathComponent("jokes-64k"))
    let download = content.appendingPathComponent("download")
    try Data().write(to: download)
    // A sparse file of zeros takes no disk space.
    let handle = try FileHandle(forWritingTo: download)
    try handle.truncate(atOffset: UInt64(Payloads.downloadBytes))
    try handle.close()
  }

  /// The configuration. nginx runs as a single process, so that ending the process ends the server. By default nginx
  /// closes a connection after 1000 requests, and keeps temporary files in folders that need root.
  private static func configuration(port: Int) -> String {
    """
    daemon off;
    master_process off;
    worker_processes 1;
    pid nginx.pid;
    error_log error.log;
    events { worker_connections 1000; }
    http {
      access_log off;
      sendfile on;
      tcp_nodelay on;
      keepalive_requests 1000000000;
      keepalive_timeout 3600s;
      open_file_cache max=16;
      default_type application/json;
      client_body_temp_path temporary-body;
      proxy_temp_path temporary-proxy;
      fastcgi_temp_path temporary-fastcgi;
      uwsgi_temp_path temporary-uwsgi;
      scgi_temp_path temporary-scgi;
      server {
        listen 127.0.0.1:\(port) backlog=4096;
        root content;
      }
    }

    """
  }

  private static func version(of program: URL) -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = ["-v"]
    process.standardError = output
    guard (try? process.run()) != nil else { return "nginx" }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      ?? "nginx"
  }
}
