/// Accesses what demands a certain authorization.
///
/// To inject it, an app gives its own kind a name, which is of use on every system (`any AuthenticatedAccessible<KongAuth>`
/// needs newer ones in some places):
///
/// ```swift
/// protocol KongAccessible: AuthenticatedAccessible where Auth == KongAuth {}
/// extension AuthenticatedAccessor: KongAccessible where Auth == KongAuth {}
/// ```
public protocol AuthenticatedAccessible<Auth>: ResourceAccessing {}
