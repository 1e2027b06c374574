import Foundation

/// The differences between Apple's systems and Linux in the C library and in Foundation.
package enum Platform {
  #if canImport(Darwin)
    /// The clock that counts while the machine sleeps.
    static let clockWithSleep = CLOCK_MONOTONIC
    package static let foundation = FoundationKind.apple

    static func modificationTime(of status: stat) -> timespec { status.st_mtimespec }
  #else
    /// The clock that counts while the machine sleeps. `CLOCK_MONOTONIC` doesn't, on Linux.
    static let clockWithSleep = CLOCK_BOOTTIME
    package static let foundation = FoundationKind.openSource

    static func modificationTime(of status: stat) -> timespec { status.st_mtim }
  #endif
}

/// The two Foundations, whose `URLSession`s differ. A decision about such a difference takes the kind as a parameter,
/// so that tests on Linux cover both.
package enum FoundationKind: Sendable {
  /// The one of Apple's systems.
  case apple
  /// swift-corelibs-foundation, whose `URLSession` drives libcurl.
  case openSource
}
