import Foundation

/// The server to measure against.
struct ServerAddress: Sendable {
  let url: URL
  /// The path of the only certificate that the contender trusts, in PEM; `nil` without TLS.
  let certificate: String?
}
