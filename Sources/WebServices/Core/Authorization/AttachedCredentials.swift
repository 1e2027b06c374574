/// The credentials of a request. A class, so that events with it stay small.
package final class AttachedCredentials: SecretHolder {
  private let type: WebServiceAuthorizationType
  /// The request that an app's signer has signed.
  private let signed: TransportRequest?
  /// The header fields. A request to another origin has none of these fields.
  let fields: [HTTPHeaders.Field]
  /// The token manager's token, if one was needed.
  let token: AccessToken?
  /// The secrets of the credentials before these, which a server may repeat in a later response.
  private let formerSecrets: [String]

  /// The most former secrets, of layers too. Each attempt of a request adds some, and there may be any number of
  /// attempts. The cookies of one attempt are fewer.
  static let formerLimit = 1024

  /// Makes the credentials of a request.
  ///
  /// - Parameters:
  ///   - type: not `.none`.
  ///   - request: the request that an app's signer signs; any other type needs none.
  ///   - token: the token manager's; `nil` for a type that needs none.
  package init(
    _ type: WebServiceAuthorizationType, for request: TransportRequest? = nil, token: AccessToken?,
    after former: AttachedCredentials? = nil
  ) throws(WebServiceError) {
    do { fields = try type.credentials(for: request, token: token) } catch {
      throw WebServiceError(
        .token, phase: .authorize, message: "the credentials are invalid or unsendable", underlying: error)
    }
    self.type = type
    self.token = token
    // Another attempt has the same credentials.
    let secrets = former?.fields == fields ? former?.formerSecrets : former?.secrets
    formerSecrets = Array((secrets ?? []).suffix(Self.formerLimit))
    signed = request
  }

  /// The secrets that were attached to the request so far. Every description hides them.
  package var secrets: [String] { formerSecrets + type.secrets(in: fields, of: signed) }

  /// The names of the header fields.
  var names: [String] { fields.map(\.name) }

  /// Whether the request still carries the credentials. A redirect to another origin has removed them.
  func areIn(_ request: TransportRequest) -> Bool { fields.contains { request.headers[$0.name] == $0.value } }
}

extension TransportRequest {
  /// The request without the fields of the credentials, for an app's code and for the key of a download.
  func without(_ credentials: AttachedCredentials?) -> TransportRequest {
    guard let credentials else { return self }
    var plain = self
    plain.headers.remove(credentials.names)
    return plain
  }
}
