import Foundation
import WebServices

/// The receiving side of a connection. `Connection+Responding.swift` contains the sending side. Only the server's thread
/// uses it.
final class Connection {
  let number: Int
  let descriptor: Int32
  /// The index in the event loop's list.
  var slot: Int
  let loop: EventLoop

  private var parser: RequestParser
  private var receivedBytes = 0
  /// The request that is being read.
  private var incoming: Exchange?
  private var exchangeCount = 0

  /// The requests that wait for their response, in order.
  var waiting: [Exchange] = []
  /// The request whose response is being sent.
  var current: Exchange?
  var output = OutputBuffer()
  var pause: Pause?
  /// The number of the current pause. A timer or gate with an older number is ignored.
  var ticket = 0
  /// Whether the connection reads; the steps `stopReading` and `startReading` change it.
  var isReading = true
  /// Whether the client has closed its sending direction.
  var inputEnded = false
  var outputEnded = false
  /// The rate limit that the step `throttle` set.
  var bytesPerSecond: Int?
  /// The time at which the rate limit lets the next bytes through.
  var resumesAt: Double?
  var isClosed = false

  /// The most pipelined requests to keep. A client that never reads responses can't make the server store more.
  private static let waitingLimit = 64

  /// The reason why the current response waits.
  enum Pause {
    case time
    case gate
    case stalled
    case handler
    case body
    case nextBytes(Int)
    case nextRequest
    /// Everything is sent. Input is discarded until the client closes, because closing with unread input would reset
    /// the connection and lose the response.
    case lingering
  }

  init(number: Int, descriptor: Int32, slot: Int, loop: EventLoop) {
    self.number = number
    self.descriptor = descriptor
    self.slot = slot
    self.loop = loop
    parser = RequestParser(limits: loop.core.limits)
  }

  /// Whether reading pauses because too many requests wait.
  var isFull: Bool { waiting.count >= Self.waitingLimit }

  /// The number of bytes received after the request.
  func bytes(after exchange: Exchange) -> Int {
    exchange.isComplete ? receivedBytes - exchange.endOffset : 0
  }

  /// Handles the events that `poll` reported.
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

  /// Parses requests from the received bytes.
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

  /// Responds to invalid bytes with an error, after the responses to earlier requests.
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
    exchange.resolution = .response(.text(failure.reason + "\n", status: failure.status).beforeBody())
    exchange.isRecorded = true
    exchange.isRefusal = true
    incoming = nil
    waiting.append(exchange)
  }
}
