import Foundation
import WebServices

extension Backend {
  /// The demo's backend.
  static let core = Backend("core")
}

extension BackendEnvironment {
  /// The demo's own backend, or the one that `--base-url` names.
  static func demo(at baseURL: URL) -> BackendEnvironment {
    BackendEnvironment("demo", [.core: baseURL.absoluteString])
  }
}
