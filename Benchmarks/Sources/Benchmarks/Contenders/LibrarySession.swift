import Foundation
import WebServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session of the kind that the library makes for itself.
enum LibrarySession {
  static func make() -> any URLSessionProtocol {
    URLSession(configuration: .webServices)
  }
}
