import AsyncHTTPClient
import NIOCore

/// AsyncHTTPClient as it is set up for this work. It lives as long as the process: it must not be let go of before it
/// is shut down.
enum SharedHTTPClient {
  static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    // As many as this library allows, instead of 8.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
    configuration.timeout = HTTPClient.Configuration.Timeout(connect: .seconds(60))
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  static let timeout = TimeAmount.seconds(60)
  static let bodyLimit = 256 * 1024 * 1024
}
