import Foundation

/// Names an error of an app or of the system, whose values may be secrets.
package enum ErrorName {
  /// The type, with the case of an enum: `MenuError: unauthorized`. For an error of Foundation, the domain and the
  /// code, and the words of an error of the system.
  package static func of(_ error: any Error) -> String {
    let type = "\(type(of: error))"
    let mirror = Mirror(reflecting: error)
    // Without associated values, the description of a case holds nothing but the words of its author.
    if mirror.displayStyle == .enum { return "\(type): \(mirror.children.first?.label ?? "\(error)")" }
    let bridged = error as NSError
    // Of any other Swift error the domain is the type once more, and the code is 1.
    let isPlain = bridged.domain == String(reflecting: Swift.type(of: error))
    let isOfSystem = bridged.domain == NSPOSIXErrorDomain
    let words = isOfSystem ? ": \(ofSystemError(Int32(truncatingIfNeeded: bridged.code)))" : ""
    return isPlain ? type : "\(type) \(bridged.domain) \(bridged.code)\(words)"
  }

  /// The system's words for an `errno`.
  package static func ofSystemError(_ code: Int32) -> String { String(cString: strerror(code)) }
}
