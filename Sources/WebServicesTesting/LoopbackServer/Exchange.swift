import Foundation
import WebServices

/// One request of a connection and how far its answer is.
final class Exchange {
  let id: Int
  var request: LoopbackServer.Request
  let expectsContinue: Bool
  /// Whether the connection ends with this exchange.
  var endsConnection: Bool
  /// Whether the request has come whole.
  var isComplete = false
  /// Whether the request was noted before its body came.
  var isRecorded = false
  /// Whether it stands for bytes that were no request.
  var isRefusal = false
  var sentContinue = false
  var resolution: Router.Resolution?
  /// How many bytes the connection had received when the request was complete.
  var endOffset = 0

  private var steps: [LoopbackServer.Step] = []
  private var position = 0
  private var cut: LoopbackServer.Answer.Cut?
  private var bytesUntilCut = Int.max
  /// How often the current `repeated` step has been carried out.
  var repetitions = 0

  init(id: Int, head: RequestParser.Head, connection: Int) {
    self.id = id
    request = LoopbackServer.Request(head, connection: connection)
    expectsContinue = head.expectsContinue
    endsConnection = !head.keepsAlive
  }

  var beginsBeforeBody: Bool {
    guard case .answer(let answer) = resolution else { return false }
    return answer.beginsBeforeBody
  }

  var currentStep: LoopbackServer.Step? {
    position < steps.count ? steps[position] : nil
  }

  func begin(_ answer: LoopbackServer.Answer) {
    steps = answer.steps
    position = 0
    cut = answer.cut
    bytesUntilCut = answer.cut?.bytes ?? .max
  }

  /// Counts bytes of the answer. At its cut the steps behind it take the place of the others.
  ///
  /// - Returns: how many of the bytes are beyond the cut.
  func countBytes(_ count: Int) -> Int {
    guard let cut else { return 0 }
    bytesUntilCut -= count
    guard bytesUntilCut <= 0 else { return 0 }
    self.cut = nil
    steps = cut.steps
    position = 0
    return -bytesUntilCut
  }

  func finishStep() {
    position += 1
    repetitions = 0
  }
}
