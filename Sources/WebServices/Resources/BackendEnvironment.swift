public import Foundation

/// The name of one of the backends that an app uses. A ``BackendEnvironment`` has the URL of each backend.
///
/// ```swift
/// extension Backend {
///   static let core = Backend("core")
/// }
/// ```
public struct Backend: Hashable, Sendable {
  /// The name, which errors contain.
  public let name: String

  /// Creates a backend; two with the same name are the same.
  public init(_ name: String) { self.name = name }
}

/// The location of a resource: a path of a backend, or a URL.
public enum ResourcePath: Hashable, Sendable, DescriptionOnly {
  /// A path of a backend, such as `.api(.core, "/v1/cities")`, which may have a query. The environment of the access
  /// has the base URL.
  case api(Backend, String)
  /// An `http` or `https` URL, the same in every environment.
  case url(URL)

  /// The location, without secrets (``Redaction/standard``) and without the query, which may contain others.
  public var description: String {
    switch self {
    case .api(let backend, let path): "\(backend.name) \(Redaction.standard.url(path.withoutQuery))"
    case .url(let url): Redaction.standard.url(url.absoluteString.withoutQuery)
    }
  }
}

/// The base URLs of the backends: production, staging, your own machine.
///
/// ```swift
/// extension BackendEnvironment {
///   static let production = BackendEnvironment("production", [.core: "https://api.example.com"])
///   static let local = BackendEnvironment("local", [.core: "http://localhost:8080"])
/// }
/// ```
public struct BackendEnvironment: Hashable, Sendable, DescriptionOnly {
  /// The name, which errors contain.
  public let name: String
  /// The backends' base URLs, as text. Their own paths are kept: `https://api.example.com/v1` and `/cities` make
  /// `https://api.example.com/v1/cities`.
  public let baseURLs: [Backend: String]
  /// The base URLs, parsed once for all requests.
  private let bases: [Backend: RequestURL.Base]

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - name: the name, which errors contain.
  ///   - baseURLs: the backends' base URLs, as text. The text is checked when a resource is accessed. An access with an
  ///     unusable URL fails with an error of kind `.badURL`.
  public init(_ name: String, _ baseURLs: [Backend: String]) {
    self.name = name
    self.baseURLs = baseURLs
    bases = baseURLs.mapValues(RequestURL.base)
  }

  /// The URL of a path in this environment.
  ///
  /// - Parameter path: the location of a resource. A `.url` is returned unchanged.
  /// - Throws: an error of kind `.badURL` when this environment has no such backend, or the path and the base URL make
  ///   no URL.
  public func url(of path: ResourcePath) throws(WebServiceError) -> URL { try urlForm(of: path, for: .get).url }

  /// The URL in its original form. A request needs only its text, and making a `URL` is slow.
  func urlForm(of path: ResourcePath, for method: HTTPMethod) throws(WebServiceError) -> URLForm {
    switch path {
    case .url(let url): return .foundation(url)
    case .api(let backend, let path):
      do throws(HTTPURL.Invalid) {
        guard let base = bases[backend] else {
          throw HTTPURL.Invalid(reason: "the environment \(name) has no backend \(backend.name)")
        }
        return .parsed(try RequestURL.url(of: path, base: base, named: "the base URL of the backend \(backend.name)"))
      } catch {
        // The redaction of the service isn't known here, so the error has no query.
        throw .badURL(path.withoutQuery, of: method, error.reason)
      }
    }
  }

  /// The name and the base URLs, without secrets (``Redaction/standard``) and without queries.
  public var description: String {
    let urls = baseURLs.map { "\($0.name) \(Redaction.standard.url($1.withoutQuery))" }
    return "\(name), with \(urls.isEmpty ? "no backend" : urls.sorted().joined(separator: ", "))"
  }
}
