import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The session that a service makes for itself where none is injected.
enum DefaultSession {
  static func make() -> any URLSessionProtocol {
    URLSession(configuration: .webServices)
  }
}
