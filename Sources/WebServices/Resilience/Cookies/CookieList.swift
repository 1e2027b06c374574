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

  /// A cookie, and when it was set and used.
  private struct Entry: Sendable {
    var cookie: CookieJar.Cookie
    /// The number of the cookie in the order of first setting. A cookie that is set again keeps its number (RFC 6265,
    /// section 5.3).
    let creation: UInt64
    /// The number of the last use.
    var lastUse: UInt64
  }

  /// The cookies of each site (`CookieDomain.site(of:)`). A request looks at one site only.
  private var sites: [String: [Entry]] = [:]
  /// The number of the last creation or use.
  private var lastNumber: UInt64 = 0
  private(set) var count = 0

  /// The cookies for a request to a URL: those of longer paths first, then those that were set first (RFC 6265, section
  /// 5.4). Cookies beyond `fieldLimit` are left out, `Secure` ones last: a response over http must not keep them out.
  /// Ended cookies are removed.
  mutating func matches(for target: HTTPURL, now: Date) -> [CookieJar.Cookie] {
    let site = CookieDomain.site(of: target.origin.host)
    guard var entries = sites[site] else { return [] }
    lastNumber += 1
    entries.removeAll { $0.cookie.hasEnded(at: now) }
    var matches: [Entry] = []
    for index in entries.indices where entries[index].cookie.matches(target) {
      entries[index].lastUse = lastNumber
      matches.append(entries[index])
    }
    // Written back even without a match: ended cookies are gone, and the uses have changed.
    replace(site, by: entries)
    matches.sort { left, right in
      let (one, other) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
      return one == other ? left.creation < right.creation : one > other
    }
    var room = Self.fieldLimit
    for isSecure in [true, false] {
      matches.removeAll { entry in
        guard entry.cookie.isSecure == isSecure else { return false }
        room -= entry.cookie.name.utf8.count + entry.cookie.value.utf8.count + "=; ".utf8.count
        return room < 0
      }
    }
    return matches.map(\.cookie)
  }

  /// Stores the cookie of a `Set-Cookie` field. A cookie that has ended removes the one of the same name, domain and
  /// path.
  ///
  /// - Returns: `false` if the URL may not set the cookie.
  @discardableResult
  mutating func store(_ field: String, from target: HTTPURL, now: Date) -> Bool {
    guard let cookie = SetCookie(field)?.cookie(from: target, now: now) else { return false }
    let site = CookieDomain.site(of: target.origin.host)
    var entries = (sites[site] ?? []).filter { !$0.cookie.hasEnded(at: now) }
    guard target.origin.isSecure || !entries.contains(where: { $0.cookie.isShielded(from: cookie) }) else {
      return false
    }
    lastNumber += 1
    let former = entries.firstIndex { $0.cookie.isSame(as: cookie) }.map { entries.remove(at: $0) }
    if !cookie.hasEnded(at: now) {
      entries.append(Entry(cookie: cookie, creation: former?.creation ?? lastNumber, lastUse: lastNumber))
      if entries.count > Self.limitPerSite, let entry = Self.dispensable(of: entries) {
        entries.removeAll { $0.creation == entry.creation }
      }
    }
    replace(site, by: entries)
    if count > Self.limit { makeRoom(now: now) }
    return true
  }

  /// Removes ended cookies, and if that isn't enough, one more.
  private mutating func makeRoom(now: Date) {
    for (site, entries) in sites { replace(site, by: entries.filter { !$0.cookie.hasEnded(at: now) }) }
    guard count > Self.limit, let entry = Self.dispensable(of: sites.values.joined()) else { return }
    let site = CookieDomain.site(of: entry.cookie.domain)
    replace(site, by: (sites[site] ?? []).filter { $0.creation != entry.creation })
  }

  /// The entry that makes room: the least recently used one that isn't `Secure`, or else the least recently used one.
  private static func dispensable(of entries: some Sequence<Entry>) -> Entry? {
    entries.min { left, right in
      left.cookie.isSecure == right.cookie.isSecure ? left.lastUse < right.lastUse : right.cookie.isSecure
    }
  }

  private mutating func replace(_ site: String, by entries: [Entry]) {
    count += entries.count - (sites[site]?.count ?? 0)
    sites[site] = entries.isEmpty ? nil : entries
  }
}
