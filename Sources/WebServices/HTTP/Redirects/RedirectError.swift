public import Foundation

/// The reason why a redirect wasn't followed, and the URLs that led to the redirect.
public struct RedirectError: Error, Sendable {
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
    /// The redirect sends the body to another origin, and the body has a secret field.
    case secretInBody
    /// The redirect sends the body to another origin, and the body can't be searched for secrets. Such a body is JSON,
    /// a form, multipart or XML. It is a file or a stream, compressed, malformed, in an unknown charset or larger than
    /// 16 MB.
    case unsearchableBody
    /// The location isn't an `http` or `https` URL.
    case invalidLocation
  }

  /// Why the redirect wasn't followed.
  public var reason: Reason
  /// The requested URLs in order. The redirect from the last URL wasn't followed.
  public var chain: [URL]
  /// The secrets to hide in the description.
  private let redaction: Redaction

  /// Creates an error. Each parameter sets the property of the same name.
  public init(reason: Reason, chain: [URL]) {
    self.init(reason: reason, chain: chain, redaction: .standard)
  }

  init(reason: Reason, chain: [URL], redaction: Redaction) {
    self.reason = reason
    self.chain = chain
    self.redaction = redaction
  }

  /// The reason and the chain in words, with secrets hidden.
  package var message: String {
    let why =
      switch reason {
      case .tooMany: "there were too many redirects"
      case .loop: "the redirects form a loop"
      case .downgrade: "a redirect leads from https to http"
      case .bodyNotReplayable: "a redirect repeats the body, which can be sent only once"
      case .secretInBody: "a redirect to another origin repeats the body, which contains a secret"
      case .unsearchableBody:
        "a redirect to another origin repeats the body, which can't be searched for secrets"
      case .invalidLocation: "a redirect leads to no http or https URL"
      }
    return "\(why): \(chain.map { redaction.url($0.absoluteString) }.joined(separator: " -> "))"
  }
}

extension RedirectError: Hashable {
  /// Whether the reason and the chain are the same.
  public static func == (left: RedirectError, right: RedirectError) -> Bool {
    left.reason == right.reason && left.chain == right.chain
  }

  /// Hashes the reason and the chain.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(reason)
    hasher.combine(chain)
  }
}

extension RedirectError: DescriptionOnly {
  /// The reason and the chain in words, with secrets hidden.
  public var description: String { message }
}
