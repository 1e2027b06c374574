import InMemoryLogging
import Logging
import WebServices
import WebServicesTesting

// sample: swiftLog
extension RequestLog {
  /// Writes the entries to a logger of swift-log. Their fields become metadata.
  static func logger(_ logger: Logger, level: Level = .info) -> RequestLog {
    RequestLog(level: level) { entry in
      let metadata = entry.fields.map { ($0.name, Logger.MetadataValue.string($0.value)) }
      logger.log(
        level: entry.level.ofLogger, "\(entry.message)", metadata: Logger.Metadata(metadata) { $1 })
    }
  }
}

extension RequestLog.Level {
  fileprivate var ofLogger: Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .error: .error
    }
  }
}
// end of sample

let server = try LoopbackServer()
server.route(.get, "/jokes/7", .json(#"{"text": "A horse walks into a bar."}"#))
server.route(.get, "/jokes/8", .status(404))
let entries = InMemoryLogHandler()
let logger = Logger(label: "jokes") { _ in entries }

var configuration = WebServiceConfiguration(baseURL: server.baseURL)
configuration.monitors = [RequestLog.logger(logger)]
let service = JsonWebService(configuration: configuration)
try await service.sendRequest(Request("jokes/7"), parser: .nothing)
try? await service.sendRequest(Request("jokes/8"), parser: .nothing)
for entry in entries.entries {
  print("\(entry.level): \(entry.message), status \(entry.metadata["status"] ?? "none")")
}

// Prints: info: request succeeded, status 200
// Prints: error: request failed, status 404
