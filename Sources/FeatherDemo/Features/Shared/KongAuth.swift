import WebServices

/// The authorization that the demo's core backend demands: the token of the one who is signed in.
enum KongAuth: BackendAuth {
  static let authorization = WebServiceAuthorizationType.bearer
}

/// Accesses what demands `KongAuth`: the type to inject.
protocol KongAccessible: AuthenticatedAccessible where Auth == KongAuth {}
extension AuthenticatedAccessor: KongAccessible where Auth == KongAuth {}
