public import Foundation

/// Keeps the cookies that servers set, and sends them back (RFC 6265). Nothing keeps cookies unless you add a jar:
///
/// ```swift
/// configuration.layers = [.cookies(CookieJar())]
/// ```
/// The jar lives in memory and belongs to one user. A sign-out empties the jar, and so does a service that is shut down
/// or replaced. A response to an earlier request then sets no cookie. A jar may be shared by the services of one user.
///
/// All methods may be called from any thread.
///
/// The article <doc:KeepingCookies> has samples.
public final class CookieJar: DescriptionOnly, Sendable {
  /// The cookies, and how often the jar was emptied. A response to a request of an earlier generation changes nothing:
  /// its cookies belong to the former user. The lock is taken inside a lock of the engine's at a sign-out, so nothing
  /// foreign is called with it.
  private let state = Locked((cookies: CookieList(), generation: 0))
  private let now: @Sendable () -> Date

  /// Creates an empty jar.
  public convenience init() { self.init { Date() } }

  package init(now: @escaping @Sendable () -> Date) { self.now = now }

  /// How many cookies there are.
  public var count: Int { state.withLock { $0.cookies.count } }

  /// The cookies that a request for the URL is sent with, in that order. Read a token against forged requests (CSRF)
  /// here.
  ///
  /// - Parameter url: the URL of the request. A URL that isn't `http` or `https` has no cookies.
  public func cookies(for url: URL) -> [Cookie] {
    URLForm.foundation(url).parsed.map { attachment(for: $0).cookies } ?? []
  }

  /// Takes a cookie as if a server had set it, for example one that you kept in the Keychain.
  ///
  /// - Parameters:
  ///   - setCookie: the value of a `Set-Cookie` field.
  ///   - url: the URL that the cookie comes from.
  /// - Returns: `false` for a cookie that the server may not set there, or that is malformed or too large.
  @discardableResult
  public func store(_ setCookie: String, from url: URL) -> Bool {
    URLForm.foundation(url).parsed.map { store([setCookie], from: $0) } ?? false
  }

  /// Removes all cookies.
  public func removeAll() { state.withLock { $0 = (CookieList(), $0.generation + 1) } }

  /// The cookies to send with a request, and the generation of the jar. The response's cookies are stored only if the
  /// jar still has that generation. Both are read together, so that no sign-out comes between them.
  func attachment(for target: HTTPURL) -> (cookies: [Cookie], generation: Int) {
    let now = now()
    return state.withLock { ($0.cookies.matches(for: target, now: now), $0.generation) }
  }

  /// Stores the cookies of a response, unless the user has changed since the request.
  ///
  /// - Parameter generation: the generation at the time of the request; `nil` if the user can't have changed.
  /// - Returns: whether any cookie was stored.
  @discardableResult
  func store(_ fields: some Sequence<String>, from target: HTTPURL, generation: Int? = nil) -> Bool {
    let now = now()
    return state.withLock { state in
      guard state.generation == generation ?? state.generation else { return false }
      return state.cookies.store(fields, from: target, now: now)
    }
  }

  /// The number of cookies.
  public var description: String { "CookieJar(\(count) cookies)" }
}

extension String {
  /// A cookie's value, with and without its quotes: neither may be shown.
  var cookieSecrets: [String] {
    hasPrefix("\"") && hasSuffix("\"") ? [self, String(dropFirst().dropLast())] : [self]
  }
}
