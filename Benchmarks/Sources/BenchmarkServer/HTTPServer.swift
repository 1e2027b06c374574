import NIOCore
import NIOHTTP1
import NIOPosix

/// A small HTTP/1.1 server on the loopback interface with one thread.
package struct HTTPServer: Sendable {
  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel
  /// The port, which the system chose.
  package let port: Int

  /// Starts the server.
  package static func start() async throws -> HTTPServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let connections = ConnectionCount()
    let channel = try await ServerBootstrap(group: group)
      // Room for all connections of the workload with 10,000 outstanding requests.
      .serverChannelOption(.backlog, value: 16_384)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // Nagle's algorithm would hold back small responses.
      .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(RequestHandler(connections: connections))
        }
      }
      .bind(host: "127.0.0.1", port: 0)
      .get()
    return HTTPServer(group: group, channel: channel, port: channel.localAddress?.port ?? 0)
  }

  /// Stops the server and its thread.
  package func stop() async throws {
    try await channel.close()
    try await group.shutdownGracefully()
  }
}
