import Foundation
import WebServices

/// Reads a file descriptor to its end on its own thread, so that the writing process never blocks.
final class OutputCollector: Sendable {
  private struct State: Sendable {
    var data = Data()
    var isAtEnd = false
  }

  private let state = Locked(State())

  var text: String { String(decoding: state.withLock { $0.data }, as: UTF8.self) }
  var isAtEnd: Bool { state.withLock { $0.isAtEnd } }

  func collect(from handle: FileHandle) {
    let state = state
    Thread.detachNewThread {
      while case let data = handle.availableData, !data.isEmpty {
        state.withLock { $0.data += data }
      }
      state.withLock { $0.isAtEnd = true }
    }
  }
}
