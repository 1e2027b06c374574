public import Foundation

/// Where a resource is.
public enum ResourcePath: Hashable, Sendable {
  /// A path of a backend, such as `.api(.core, "/v1/cities")`; may have a query. Which URL that is, the environment says
  /// that it is accessed in.
  case api(Backend, String)
  /// An `http` or `https` URL, the same in every environment.
  case url(URL)
}
