import Foundation
import NIOCore
import NIOHTTP1

/// Responds to the requests of one connection, one after another.
final class RequestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private static let jokes = ByteBuffer(string: Payloads.jokes)
  private static let manyJokes = ByteBuffer(string: Payloads.manyJokes)
  private static let downloadPiece = ByteBuffer(repeating: UInt8(ascii: "x"), count: 65_536)

  private let connections: ConnectionCount
  private var isCounted = false
  private var route = Route.unknown
  private var receivedBytes = 0

  init(connections: ConnectionCount) {
    self.connections = connections
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      route = Route(target: head.uri)
      receivedBytes = 0
      if !isCounted, route != .statistics {
        isCounted = true
        connections.increment()
      }
    case .body(let piece):
      receivedBytes += piece.readableBytes
    case .end:
      respond(context)
    }
  }

  /// A broken connection needs no handling besides its close.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  private func respond(_ context: ChannelHandlerContext) {
    switch route {
    case .jokes: write(Self.jokes, context)
    case .manyJokes: write(Self.manyJokes, context)
    case .delayed(let milliseconds): writeJokes(in: milliseconds, context)
    case .held(let time): writeJokes(in: time - Self.now, context)
    case .download:
      writeHead(.ok, length: Payloads.downloadBytes, context)
      writePieces(remaining: Payloads.downloadBytes, context)
    case .upload: write(ByteBuffer(string: "{\"received\":\(receivedBytes)}"), context)
    case .statistics: write(ByteBuffer(string: "{\"connections\":\(connections.value)}"), context)
    case .unknown: write(ByteBuffer(string: "{}"), status: .notFound, context)
    }
  }

  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

  private func writeJokes(in milliseconds: Int64, _ context: ChannelHandlerContext) {
    guard milliseconds > 0 else { return write(Self.jokes, context) }
    // The context isn't `Sendable`. The box checks that only the event loop opens it.
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) {
      let (handler, context) = bound.value
      handler.write(Self.jokes, context)
    }
  }

  private func write(
    _ body: ByteBuffer, status: HTTPResponseStatus = .ok, _ context: ChannelHandlerContext
  ) {
    writeHead(status, length: body.readableBytes, context)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  private func writeHead(_ status: HTTPResponseStatus, length: Int, _ context: ChannelHandlerContext) {
    let headers: HTTPHeaders = [
      "Content-Type": "application/json", "Content-Length": "\(length)", "Server": "BenchmarkServer",
    ]
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))),
      promise: nil)
  }

  /// Writes the next piece once the previous one has been sent.
  private func writePieces(remaining: Int, _ context: ChannelHandlerContext) {
    guard remaining > 0 else {
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      return
    }
    let count = min(remaining, Self.downloadPiece.readableBytes)
    guard let piece = Self.downloadPiece.getSlice(at: 0, length: count) else { return }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece)))).whenSuccess {
      let (handler, context) = bound.value
      handler.writePieces(remaining: remaining - count, context)
    }
  }
}
