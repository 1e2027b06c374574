import Foundation
import WebServices

extension Backend {
  /// The demo's backend.
  static let core = Backend("core")
}

extension BackendEnvironment {
  /// The environment with the demo's own backend, or with the server that `--base-url` names.
  static func demo(at baseURL: URL) -> BackendEnvironment {
    BackendEnvironment("demo", [.core: baseURL.absoluteString])
  }
}
