import Foundation

/// Calls the system to change a file. In builds for tests, a simulation may let the call fail.
///
/// - Parameters:
///   - name: the name of the call.
///   - call: calls the system; returns a negative number if that fails, and leaves the reason in `errno`.
package func changingFile<Output: BinaryInteger>(_ name: String, _ call: () -> Output) -> Output {
  #if DEBUG || SIMULATION
    if let code = DiskFault.errorNumber?(name) {
      errno = code
      return -1
    }
  #endif
  return call()
}

#if DEBUG || SIMULATION
  /// Lets calls of the system fail in a simulation. Only builds for tests have it.
  package enum DiskFault {
    /// The error of the next call with a name; `nil` if the call succeeds.
    @TaskLocal package static var errorNumber: (@Sendable (_ call: String) -> Int32?)?
  }
#endif
