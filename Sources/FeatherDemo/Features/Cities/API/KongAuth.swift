import WebServices

/// Marks the resources of the demo's server that need a bearer token. An app has one such type for each kind of
/// authorization.
enum KongAuth: BackendAuth {
  static let authorization = WebServiceAuthorizationType.bearer
}

/// Requests the resources that ``KongAuth`` marks. Inject `any KongAccessible`, so that a test can pass a stub.
protocol KongAccessible: AuthenticatedAccessible where Auth == KongAuth {}
extension AuthenticatedAccessor: KongAccessible where Auth == KongAuth {}

extension Backend {
  /// The demo's server.
  static let core = Backend("core")
}
