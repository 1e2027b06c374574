/// What a resource demands to be known of the one who asks: a type, so that asking without it doesn't compile.
///
/// ```swift
/// enum KongAuth: BackendAuth {
///   static let authorization = WebServiceAuthorizationType.bearer
/// }
/// ```
public protocol BackendAuth {
  /// Which credentials that is.
  static var authorization: WebServiceAuthorizationType { get }
}

/// Nothing: for resources that anybody may ask for.
public enum NoAuth: BackendAuth {
  /// `.none`
  public static var authorization: WebServiceAuthorizationType { .none }
}
