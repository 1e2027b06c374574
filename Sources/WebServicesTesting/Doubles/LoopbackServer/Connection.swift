import Foundation
import WebServicesCore

/// One connection of a client. The event loop calls `serve` when the socket is ready. This file has the receiving side,
/// and `Connection+Responding.swift` the sending side.
///
/// Only the server's thread uses a connection.
final class Connection {
  let number: Int
  let descriptor: Int32
  /// The index in the event loop's list.
  var slot: Int
  let loop: EventLoop

  private var parser: RequestParser
  /// All bytes that were received on this connection.
  private var receivedBytes = 0
  /// The request that is being read.
  private var incoming: ServedRequest?

  /// The requests that wait for their response, in order.
  var waiting: [ServedRequest] = []
  /// The request whose response is being sent.
  var current: ServedRequest?
  /// The bytes of the response; empty once the system has accepted all of them.
  var output: [UInt8] = []
  /// How many of these bytes the system has accepted.
  var sentCount = 0
  var pause: Pause?
  /// Whether the client has closed its sending direction.
  var inputEnded = false
  /// The rate limit that the step `throttle` set.
  var bytesPerSecond: Int?
  /// The time at which the rate limit lets the next bytes through.
  var resumesAt: Double?
  /// Set to `true` once. The event loop has then forgotten the connection.
  var isClosed = false

  /// The most pipelined requests to keep. A client that never reads responses can't make the server store more.
  private static let waitingLimit = 64

  /// The reason why the current response waits; `nil` while it is being sent. Each reason ends with the event that it
  /// names. `stalled` and `lingering` end with the connection.
  enum Pause {
    /// The delay of a step.
    case time
    /// A gate that the test opens.
    case gate
    /// Nothing: the connection only waits for the client to disconnect.
    case stalled
    /// A handler that was called and hasn't responded yet.
    case handler
    /// This many bytes of the next request.
    case nextBytes(Int)
    /// The whole next request, which gets no response.
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
  func bytes(after served: ServedRequest) -> Int {
    served.isComplete ? receivedBytes - served.endOffset : 0
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

  func close(resets: Bool = false) {
    guard !isClosed else { return }
    isClosed = true
    resets ? System.resetSocket(descriptor) : System.closeSocket(descriptor)
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
        let served = ServedRequest(head: head, connection: number)
        incoming = served
        waiting.append(served)
      case .body(let bytes):
        incoming?.request.body.append(contentsOf: bytes)
      case .end(let trailers):
        complete(trailers)
      case .failure(let failure):
        refuse(failure)
      }
    }
  }

  /// Records the request that is being read, because its last byte has arrived.
  private func complete(_ trailers: HTTPHeaders) {
    guard let served = incoming else { return }
    incoming = nil
    served.request.trailers = trailers
    served.isComplete = true
    served.endOffset = receivedBytes - parser.pendingByteCount
    if served.isRecorded {
      loop.core.records.withLock { $0.complete(served.request) }
      return
    }
    // The handler or script is selected when the response starts, but the parameters are recorded now.
    loop.core.router.withLock { $0.noteParameters(in: &served.request) }
    record(served)
  }

  /// Records the request, which gets its number among all requests.
  func record(_ served: ServedRequest) {
    served.request.order = loop.core.records.withLock { $0.add(served.request) }
    served.isRecorded = true
  }

  /// Responds to invalid bytes with an error, after the responses to earlier requests.
  private func refuse(_ failure: RequestParser.Failure) {
    loop.core.records.withLock { $0.addRefusal("\(failure.status): \(failure.reason)") }
    // The response has begun, so an error response would be read as a part of its body.
    if let incoming, incoming === current {
      incoming.endsConnection = true
      return
    }
    if let incoming { waiting.removeAll { $0 === incoming } }
    let head = RequestParser.Head(
      method: incoming?.request.method ?? .get, target: "", minorVersion: 1, headers: HTTPHeaders(),
      keepsAlive: false)
    let served = ServedRequest(head: head, connection: number)
    served.resolution = .response(.text(failure.reason + "\n", status: failure.status).beforeBody())
    served.isRecorded = true
    waiting.append(served)
  }
}
