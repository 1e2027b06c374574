import Foundation

/// The cookies of a jar. `matches` finds the cookies for a request and `store` takes a `Set-Cookie` field. Pure.
///
/// The number of cookies is limited. Of the cookies that a limit concerns, the least recently used one makes room that
/// isn't `Secure`, the new one included. So a response over http never displaces a `Secure` cookie.
struct CookieList: Sendable {
  /// The most cookies: the least that RFC 6265, section 6.1, asks of a user agent.
  static let limit = 3000
  /// The most cookies of one site, as in Chrome. A host can set cookies for each domain above it, so without this limit
  /// one host could displace the cookies of all others. RFC 6265 asks for 50 of a domain.
  static let limitPerSite = 180
  /// The most bytes of a `Cookie` field, as in curl. Many servers refuse a larger head with 431 or 400.
  static let fieldLimit = 8190

  /// A cookie, and the number of its last use or setting.
  private struct Entry: Sendable {
    var cookie: CookieJar.Cookie
    var lastUse: UInt64
  }

  /// The cookies of each site (`CookieDomain.site(of:)`), in the order of first setting. A cookie that is set again
  /// keeps its place (RFC 6265, section 5.3). A request looks at one site only.
  private var sites: [String: [Entry]] = [:]
  private var lastUse: UInt64 = 0
  private(set) var count = 0

  /// The cookies for a request to a URL: those of longer paths first, then those that were set first (RFC 6265, section
  /// 5.4). Cookies beyond `fieldLimit` are left out, `Secure` ones last: a response over http must not keep them out.
  /// Ended cookies are removed.
  mutating func matches(for target: HTTPURL, now: Date) -> [CookieJar.Cookie] {
    let site = CookieDomain.site(of: target.origin.host)
    guard var entries = sites[site] else { return [] }
    lastUse += 1
    entries.removeAll { $0.cookie.hasEnded(at: now) }
    var matches: [CookieJar.Cookie] = []
    for index in entries.indices where entries[index].cookie.matches(target) {
      entries[index].lastUse = lastUse
      matches.append(entries[index].cookie)
    }
    // Written back even without a match: ended cookies are gone, and the uses have changed.
    replace(site, by: entries)
    // The sort is stable.
    matches.sort { $0.path.utf8.count > $1.path.utf8.count }
    var room = Self.fieldLimit
    for isSecure in [true, false] {
      matches.removeAll { cookie in
        guard cookie.isSecure == isSecure else { return false }
        room -= cookie.name.utf8.count + cookie.value.utf8.count + "=; ".utf8.count
        return room < 0
      }
    }
    return matches
  }

  /// Stores the cookie of a `Set-Cookie` field. A cookie that has ended removes the one of the same name, domain and
  /// path.
  ///
  /// - Returns: `false` if the URL may not set the cookie.
  @discardableResult
  mutating func store(_ field: String, from target: HTTPURL, now: Date) -> Bool {
    guard let cookie = CookieJar.Cookie(field, from: target, now: now) else { return false }
    let site = CookieDomain.site(of: target.origin.host)
    var entries = (sites[site] ?? []).filter { !$0.cookie.hasEnded(at: now) }
    guard target.origin.isSecure || !entries.contains(where: { $0.cookie.isShielded(from: cookie) })
    else { return false }
    lastUse += 1
    let former = entries.firstIndex { $0.cookie.isSame(as: cookie) }
    if let former { entries.remove(at: former) }
    if !cookie.hasEnded(at: now) {
      entries.insert(Entry(cookie: cookie, lastUse: lastUse), at: former ?? entries.endIndex)
      if entries.count > Self.limitPerSite, let cookie = Self.dispensable(of: entries) {
        entries.removeAll { $0.cookie.isSame(as: cookie) }
      }
    }
    replace(site, by: entries)
    if count > Self.limit { makeRoom(now: now) }
    return true
  }

  /// Removes ended cookies, and if that isn't enough, one more.
  private mutating func makeRoom(now: Date) {
    for (site, entries) in sites { replace(site, by: entries.filter { !$0.cookie.hasEnded(at: now) }) }
    guard count > Self.limit, let cookie = Self.dispensable(of: sites.values.joined()) else { return }
    let site = CookieDomain.site(of: cookie.domain)
    replace(site, by: (sites[site] ?? []).filter { !$0.cookie.isSame(as: cookie) })
  }

  /// The cookie that makes room: the least recently used one that isn't `Secure`, or else the least recently used one.
  private static func dispensable(of entries: some Sequence<Entry>) -> CookieJar.Cookie? {
    entries.min { left, right in
      left.cookie.isSecure == right.cookie.isSecure ? left.lastUse < right.lastUse : right.cookie.isSecure
    }?.cookie
  }

  private mutating func replace(_ site: String, by entries: [Entry]) {
    count += entries.count - (sites[site]?.count ?? 0)
    sites[site] = entries.isEmpty ? nil : entries
  }
}
