public import Foundation

/// Why a redirect wasn't followed, and the way to it.
public struct RedirectError: Error, Hashable, Sendable {
  /// Why a redirect wasn't followed.
  public enum Reason: Hashable, Sendable {
    /// There were more than the policy's limit.
    case tooMany
    /// It leads to a request that was made on the way already.
    case loop
    /// It leads from `https` to `http`.
    case downgrade
    /// The request would have to be sent with its body again, which can't be had again.
    case bodyNotReplayable
    /// Where it leads is no `http` or `https` URL.
    case invalidLocation
  }

  /// Why the redirect wasn't followed.
  public var reason: Reason
  /// The URLs that were asked, in order; what the last one answered wasn't followed.
  public var chain: [URL]

  /// Creates an error.
  public init(reason: Reason, chain: [URL]) {
    self.reason = reason
    self.chain = chain
  }

  /// The reason and the chain in words; the URLs are not redacted.
  var message: String {
    let why =
      switch reason {
      case .tooMany: "there were too many redirects"
      case .loop: "the redirects lead in a circle"
      case .downgrade: "a redirect leads from https to http"
      case .bodyNotReplayable: "a redirect asks for the body again, which can be sent only once"
      case .invalidLocation: "a redirect leads to no http or https URL"
      }
    return "\(why): \(chain.map(\.absoluteString).joined(separator: " -> "))"
  }
}
