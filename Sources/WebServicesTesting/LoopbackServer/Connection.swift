import Foundation
import WebServices

/// One connection of the server's: the receiving side. `Connection+Answering.swift` has the sending side.
final class Connection {
  let number: Int
  let descriptor: Int32
  /// The place in the loop's list.
  var slot: Int
  let loop: EventLoop

  private var parser: RequestParser
  private var receivedBytes = 0
  /// The exchange whose request is being read.
  private var incoming: Exchange?
  private var exchangeCount = 0

  /// Exchanges that wait for their turn, in the order of their requests.
  var waiting: [Exchange] = []
  /// The exchange that is being answered.
  var current: Exchange?
  var output = OutputBuffer()
  var pause: Pause?
  /// The number of the pause: a timer or a gate that fires late is known by it.
  var ticket = 0
  /// Set by the test's steps.
  var isReading = true
  /// Whether the client has ended its sending direction.
  var inputEnded = false
  var outputEnded = false
  /// Set by the test's steps.
  var bytesPerSecond: Int?
  /// Until when the throttle holds the output back.
  var resumesAt: Double?
  var isClosed = false

  /// Bounds what a client that pipelines without reading can make the server keep.
  private static let waitingLimit = 64

  /// Why an answer isn't going on.
  enum Pause {
    case time
    case gate
    case stalled
    case handler
    case body
    case nextBytes(Int)
    case nextRequest
    /// Everything is sent; what the client still sends is thrown away until it ends, since closing on unread bytes
    /// would reset the connection and take the answer with it.
    case lingering
  }

  init(number: Int, descriptor: Int32, slot: Int, loop: EventLoop) {
    self.number = number
    self.descriptor = descriptor
    self.slot = slot
    self.loop = loop
    parser = RequestParser(limits: loop.core.limits)
  }

  /// Whether no more requests are to be read for now.
  var isFull: Bool { waiting.count >= Self.waitingLimit }

  /// How many bytes have come behind the request of the exchange.
  func bytes(after exchange: Exchange) -> Int {
    exchange.isComplete ? receivedBytes - exchange.endOffset : 0
  }

  /// Does what `poll` found possible.
  func serve(_ events: Int16) {
    if events & System.readable != 0, !inputEnded {
      receive()
    } else if events & (System.failed | System.peerEnded) != 0 {
      close()
    }
    proceed()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    waiting = []
    current = nil
    incoming = nil
    System.closeDescriptor(descriptor)
    loop.remove(self)
  }

  private func receive() {
    switch System.receive(descriptor, into: loop.scratch) {
    case .wouldBlock: return
    case .failed: close()
    case .bytes(0): inputEnded = true
    case .bytes(let count):
      if case .lingering = pause { return }
      receivedBytes += count
      parser.receive(loop.scratch[..<count])
    }
  }

  /// Reads requests out of what was received.
  func parse() {
    while !isFull, let event = parser.next() {
      switch event {
      case .head(let head):
        exchangeCount += 1
        let exchange = Exchange(id: exchangeCount, head: head, connection: number)
        incoming = exchange
        waiting.append(exchange)
      case .body(let bytes):
        incoming?.request.body.append(contentsOf: bytes)
      case .end(let trailers):
        complete(trailers)
      case .failure(let failure):
        refuse(failure)
      }
    }
  }

  private func complete(_ trailers: HTTPHeaders) {
    guard let exchange = incoming else { return }
    incoming = nil
    exchange.request.trailers = trailers
    exchange.isComplete = true
    exchange.endOffset = receivedBytes - parser.pendingByteCount
    if exchange.isRecorded {
      loop.core.records.complete(exchange.request)
      return
    }
    if exchange.resolution == nil {
      loop.core.router.withLock { $0.noteParameters(in: &exchange.request) }
    }
    record(exchange)
  }

  func record(_ exchange: Exchange) {
    exchange.request.order = loop.core.records.add(exchange.request)
    exchange.isRecorded = true
  }

  /// Answers bytes that are no request, after the answers to the requests before them.
  private func refuse(_ failure: RequestParser.Failure) {
    loop.core.records.addRefusal("\(failure.status): \(failure.reason)")
    if let incoming, incoming === current {
      incoming.endsConnection = true
      return
    }
    if let incoming { waiting.removeAll { $0 === incoming } }
    let head = RequestParser.Head(
      method: incoming?.request.method ?? .get, target: "", minorVersion: 1, headers: HTTPHeaders(),
      keepsAlive: false)
    let exchange = Exchange(id: -1, head: head, connection: number)
    exchange.resolution = .answer(.text(failure.reason + "\n", status: failure.status).beforeBody())
    exchange.isRecorded = true
    exchange.isRefusal = true
    incoming = nil
    waiting.append(exchange)
  }
}
