import Foundation
import WebServices

/// Explains why a file couldn't be read or written, in the system's words.
enum FileFailure {
  /// The reason; `nil` if the error isn't about a file.
  static func reason(for error: WebServiceError) -> String? {
    let transport = error.underlying(as: TransportError.self)
    let body = error.underlying(as: RequestBodyError.self)
    guard error.kind == .file || transport?.kind == .file || body != nil else { return nil }
    let cause = transport?.underlying ?? (transport == nil ? error.underlying : nil)
    return cause.map(reason) ?? error.message
  }

  /// The description of any error.
  static func reason(for error: any Error) -> String {
    if let error = error as? RequestBodyError { return error.description }
    let bridged = error as NSError
    if let code = posixCode(of: bridged) { return String(cString: strerror(code)) }
    let words = bridged.domain == NSCocoaErrorDomain ? bridged.localizedDescription : "\(error)"
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }

  /// The `errno` of an error or of one of its underlying errors.
  private static func posixCode(of error: NSError) -> Int32? {
    if error.domain == NSPOSIXErrorDomain { return Int32(truncatingIfNeeded: error.code) }
    if let below = error.userInfo[NSUnderlyingErrorKey] as? NSError, below.domain == NSPOSIXErrorDomain {
      return Int32(truncatingIfNeeded: below.code)
    }
    guard error.domain == NSCocoaErrorDomain else { return nil }
    switch CocoaError.Code(rawValue: error.code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: return ENOENT
    case .fileReadNoPermission, .fileWriteNoPermission: return EACCES
    case .fileWriteOutOfSpace: return ENOSPC
    case .fileWriteVolumeReadOnly: return EROFS
    default: return nil
    }
  }
}
