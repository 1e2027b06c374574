import BenchmarkServer
import Foundation

/// Runs nginx on the loopback interface with its own configuration and files in a temporary directory.
struct Nginx {
  private let child: ChildProcess
  /// The directory with the configuration and the served files. `stop()` deletes it.
  private let directory: URL
  let url: String
  /// The addresses over TLS; `nil` if this nginx has no TLS, or if the machine can't make a certificate.
  let secure: Secure?
  /// The version, such as `nginx/1.22.1`.
  let version: String

  struct Secure {
    let url: String
    let http2URL: String
    let certificate: Certificate
  }

  init(program: Tool) async throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "benchmarks-\(UUID().uuidString)")
    Interruption.remove(directory)
    let found = try FreePort.find(3)
    let ports = NginxConfiguration.Ports(cleartext: found[0], tls: found[1], http2: found[2])
    url = "http://127.0.0.1:\(ports.cleartext)"
    try Self.writeContent(to: directory)
    let build = program.messages(of: ["-V"]) ?? ""
    version = Self.version(in: build)
    let certificate = Self.canUseTLS(build) ? Certificate(in: directory) : nil
    secure = certificate.map {
      Secure(url: "https://127.0.0.1:\(ports.tls)", http2URL: "https://127.0.0.1:\(ports.http2)", certificate: $0)
    }
    try Data(NginxConfiguration(ports: ports, hasTLS: secure != nil).text.utf8)
      .write(to: directory.appendingPathComponent("nginx.conf"))
    child = try ChildProcess(
      program: program.path, arguments: ["-p", directory.path, "-c", "nginx.conf", "-e", "error.log"])
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

  private static func writeContent(to directory: URL) throws {
    let content = directory.appendingPathComponent("content")
    try FileManager.default.createDirectory(at: content, withIntermediateDirectories: true)
    try Data(Payloads.jokes.utf8).write(to: content.appendingPathComponent("jokes"))
    try Data(Payloads.manyJokes.utf8).write(to: content.appendingPathComponent("jokes-64k"))
    let download = content.appendingPathComponent("download")
    try Data().write(to: download)
    // A sparse file of zeros takes no disk space.
    let handle = try FileHandle(forWritingTo: download)
    try handle.truncate(atOffset: UInt64(Payloads.downloadBytes))
    try handle.close()
  }

  /// - Parameter build: the output of `nginx -V`, with the version in the first line and the modules in the last one.
  private static func canUseTLS(_ build: String) -> Bool {
    build.contains("http_ssl_module") && build.contains("http_v2_module")
  }

  private static func version(in build: String) -> String {
    let line = build.prefix { $0 != "\n" }
    return line.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "nginx"
  }
}
