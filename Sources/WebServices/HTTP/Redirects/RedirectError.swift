public import Foundation

/// Tells why a redirect wasn't followed, and which URLs led to it.
public struct RedirectError: Error, Sendable {
  /// Why a redirect wasn't followed.
  public enum Reason: Hashable, Sendable {
    /// There were more than the policy's limit.
    case tooMany
    /// It leads to a request that was made on the way already.
    case loop
    /// It leads from `https` to `http`.
    case downgrade
    /// The request would have to be sent with its body again, which can be read only once.
    case bodyNotReplayable
    /// The request would have to be sent to another origin with its body, and a field of that is secret.
    case secretInBody
    /// The request would have to be sent to another origin with its body, which can't be searched for secrets. It is
    /// JSON, a form, multipart or XML. It is a file or a stream, compressed, malformed, in an unknown charset or larger
    /// than 16 MB.
    case unsearchableBody
    /// The location isn't an `http` or `https` URL.
    case invalidLocation
  }

  /// Why the redirect wasn't followed.
  public var reason: Reason
  /// The URLs that were asked, in order; the last one's response wasn't followed.
  public var chain: [URL]
  /// What is hidden in the description.
  private let redaction: Redaction

  /// Creates an error.
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
