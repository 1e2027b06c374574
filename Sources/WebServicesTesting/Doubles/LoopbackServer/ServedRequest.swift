import Foundation
import WebServicesCore

/// One request of a connection, and the progress of its response. Only the server's thread uses it.
final class ServedRequest {
  var request: LoopbackServer.Request
  /// Whether the client waits for `100 Continue`, which wasn't sent yet.
  var expectsContinue: Bool
  /// Whether the connection ends after this response.
  var endsConnection: Bool
  /// Whether the whole request has arrived. Bytes that aren't a valid request never do.
  var isComplete = false
  /// Whether the request was recorded before its body arrived.
  var isRecorded = false
  /// The route's response or handler; `nil` until the response starts.
  var resolution: Router.Action?
  /// The number of bytes that the connection had received when the request was complete.
  var endOffset = 0

  /// The steps of the response, and the index of the current one.
  private var steps: [LoopbackServer.Step] = []
  private var position = 0
  /// Where the response is cut off; `nil` without a cut, or after it.
  private var cut: LoopbackServer.Response.Cut?
  /// The number of repetitions of the current `repeated` step so far.
  var repetitions = 0

  init(head: RequestParser.Head, connection: Int) {
    request = LoopbackServer.Request(head, connection: connection)
    expectsContinue = head.expectsContinue
    endsConnection = !head.keepsAlive
  }

  /// Whether the response has a body (RFC 9110, section 9.3.2).
  var hasBody: Bool { request.method != .head }

  var beginsBeforeBody: Bool {
    guard case .response(let response) = resolution else { return false }
    return response.beginsBeforeBody
  }

  var currentStep: LoopbackServer.Step? {
    position < steps.count ? steps[position] : nil
  }

  func begin(_ response: LoopbackServer.Response) {
    steps = response.steps
    cut = response.cut
  }

  /// Counts the bytes that a step has added. When the cut is reached, or the last step is done, the cut's steps replace
  /// the rest.
  ///
  /// - Returns: the number of bytes beyond the cut.
  func countBytes(_ count: Int) -> Int {
    cut?.bytes -= count
    guard let cut, count > 0 && cut.bytes <= 0 || currentStep == nil else { return 0 }
    // The steps after the cut are sent whole.
    self.cut = nil
    steps = cut.steps
    position = 0
    return max(0, -cut.bytes)
  }

  func finishStep() {
    position += 1
    repetitions = 0
  }
}
