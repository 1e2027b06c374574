public import Foundation

/// What one request does in another way than the configuration says; what isn't set here is as it says there.
public struct RequestOptions: Sendable {
  /// How long to wait for a token, and again for the whole answer, in seconds. For a stream or a download it is the
  /// longest time without a byte.
  public var timeout: TimeInterval?
  /// What happens with an answer that points elsewhere.
  public var redirects: RedirectPolicy?
  /// Encodes a JSON body.
  public var encoder: JSONEncoder?
  /// Decodes a JSON answer.
  public var decoder: JSONDecoder?
  /// Look at the answer before those of the configuration do.
  public var validators: [ResponseValidator]
  /// Called as bytes go out and come in, one call at a time, on a queue of the library's. Calls that come faster than
  /// they are taken are left out, but never the last one.
  public var onProgress: (@Sendable (TransportProgress) -> Void)?

  /// Creates options; by default everything is as the configuration says.
  public init(
    timeout: TimeInterval? = nil, redirects: RedirectPolicy? = nil, encoder: JSONEncoder? = nil,
    decoder: JSONDecoder? = nil, validators: [ResponseValidator] = [],
    onProgress: (@Sendable (TransportProgress) -> Void)? = nil
  ) {
    self.timeout = timeout
    self.redirects = redirects
    self.encoder = encoder
    self.decoder = decoder
    self.validators = validators
    self.onProgress = onProgress
  }
}
