/// Accesses what anybody may access.
///
/// `any Accessible` is a type to inject.
public protocol Accessible: ResourceAccessing where Auth == NoAuth {}
