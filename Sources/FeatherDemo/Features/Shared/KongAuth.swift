import WebServices

/// The authorization of the demo's core backend: a bearer token.
enum KongAuth: BackendAuth {
  static let authorization = WebServiceAuthorizationType.bearer
}

/// Accesses resources that need ``KongAuth``. Inject this type.
protocol KongAccessible: AuthenticatedAccessible where Auth == KongAuth {}
extension AuthenticatedAccessor: KongAccessible where Auth == KongAuth {}
