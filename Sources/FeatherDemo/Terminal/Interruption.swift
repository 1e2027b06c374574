import Foundation

/// Ends the process when it is interrupted, the terminal as it was before.
enum Interruption {
  private static let queue = DispatchQueue(label: "FeatherDemo.Interruption")
  // Written once before anything else runs: the sources live as long as the process.
  @MainActor private static var sources: [any DispatchSourceSignal] = []

  @MainActor
  static func handle() {
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { end(status: 128 + number) }
      source.resume()
      return source
    }
  }

  /// Ends the process at once: whatever still runs has nothing to save.
  static func end(status: Int32) -> Never {
    Terminal.restore()
    _exit(status)
  }
}
