import AsyncHTTPClient
import NIOCore

/// The configured AsyncHTTPClient. It lives as long as the process, because it must not be released before its
/// shutdown.
enum SharedHTTPClient {
  static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    // This library opens 64 connections. The default of 8 would slow AsyncHTTPClient down.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
    configuration.timeout = HTTPClient.Configuration.Timeout(connect: .seconds(60))
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  static let timeout = TimeAmount.seconds(60)
  static let bodyLimit = 256 * 1024 * 1024
}
