import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Takes the children along when the program is interrupted.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  /// - Parameter cleanUp: what else is done before the program ends.
  init(cleanUp: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        ChildProcess.stopAll()
        cleanUp()
        exit(128 + number)
      }
      source.resume()
      return source
    }
  }
}
