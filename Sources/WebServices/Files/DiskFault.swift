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
  package final class DiskFault {
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    fileprivate static var current: DiskFault? {
      pthread_getspecific(key).map { Unmanaged<DiskFault>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate let errorNumber: (_ call: String) -> Int32?

    /// - Parameter errorNumber: the error of the next call; `nil` if the call succeeds.
    package init(errorNumber: @escaping (_ call: String) -> Int32?) { self.errorNumber = errorNumber }

    /// Fails calls of this thread while the body runs.
    package func perform<Output>(_ body: () throws -> Output) rethrows -> Output {
      pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
      defer { pthread_setspecific(Self.key, nil) }
      return try body()
    }
  }
#endif
