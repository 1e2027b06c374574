import AsyncHTTPClient
import NIOCore
import NIOSSL

/// The settings of AsyncHTTPClient.
enum HTTPClientSettings {
  /// Makes the client. It must live as long as the process, because it must not be released before its shutdown.
  ///
  /// - Parameter certificate: the path of the only trusted certificate, in PEM; `nil` trusts the system's.
  static func client(trusting certificate: String?) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    // This library opens 64 connections. The default of 8 would slow AsyncHTTPClient down.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
    configuration.timeout = HTTPClient.Configuration.Timeout(connect: .seconds(60))
    configuration.httpVersion = .automatic
    if let certificate {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.trustRoots = .file(certificate)
      configuration.tlsConfiguration = tls
    }
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  static let timeout = TimeAmount.seconds(60)
  static let bodyLimit = 256 * 1024 * 1024
}
