public import Foundation

extension RedirectPolicy {
  /// The reason why a redirect wasn't followed, and the URLs that led to the redirect.
  public struct Refusal: DescribedByLibrary, Hashable, Sendable, DescriptionOnly, OwnRedaction {
    /// Why a redirect wasn't followed.
    public enum Reason: Hashable, Sendable {
      /// There were more redirects than the policy allows.
      case tooMany
      /// The redirect leads to a request that was already sent before in this chain.
      case loop
      /// The redirect leads from `https` to `http`.
      case downgrade
      /// The redirect requires the body again, but the body can be read only once.
      case bodyNotReplayable
      /// The redirect sends the body to another origin. Only ``RedirectPolicy/sendsBodyToOtherOrigins`` allows this.
      case bodyToOtherOrigin
      /// The location isn't an `http` or `https` URL.
      case invalidLocation
    }

    /// Why the redirect wasn't followed.
    public var reason: Reason
    /// The requested URLs in order. The redirect from the last URL wasn't followed.
    public var chain: [URL]
    /// Hides secrets in the description.
    package var redaction = DescriptionRedaction()

    /// Creates an error. Each parameter sets the property of the same name.
    public init(reason: Reason, chain: [URL]) {
      self.reason = reason
      self.chain = chain
    }

    /// The reason and the chain in words, with secrets hidden.
    public var description: String {
      let why =
        switch reason {
        case .tooMany: "there were too many redirects"
        case .loop: "the redirects form a loop"
        case .downgrade: "a redirect leads from https to http"
        case .bodyNotReplayable: "a redirect repeats the body, which can be sent only once"
        case .bodyToOtherOrigin:
          "a redirect sends the body to another origin; allow it with RedirectPolicy.sendsBodyToOtherOrigins"
        case .invalidLocation: "a redirect leads to no http or https URL"
        }
      return "\(why): \(chain.map { redaction.value.url($0.absoluteString) }.joined(separator: " -> "))"
    }
  }
}
