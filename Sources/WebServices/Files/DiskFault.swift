import Foundation

/// Calls the system to change a file. In builds for tests, a simulation may let the call fail.
///
/// - Parameters:
///   - name: the name of the call.
///   - call: calls the system; returns a negative number if that fails, and leaves the reason in `errno`.
package func changingFile<Output: BinaryInteger>(_ name: String, _ call: () -> Output) -> Output {
  #if DEBUG || SIMULATION
    if let code = DiskFault.current?.errorNumber(name) {
      errno = code
      return -1
    }
  #endif
  return call()
}

#if DEBUG || SIMULATION
  /// Fails calls of the system in the thread of a simulation. Only builds for tests have it.
  ///
  /// Unchecked, because only the thread that calls `perform` uses the object.
  package final class DiskFault: @unchecked Sendable {
    @TaskLocal fileprivate static var current: DiskFault?

    fileprivate let errorNumber: (_ call: String) -> Int32?

    /// - Parameter errorNumber: the error of the next call; `nil` if the call succeeds.
    package init(errorNumber: @escaping (_ call: String) -> Int32?) { self.errorNumber = errorNumber }

    /// Fails calls of this thread while the body runs.
    package func perform<Output>(_ body: () throws -> Output) rethrows -> Output {
      try Self.$current.withValue(self) { try body() }
    }
  }
#endif
