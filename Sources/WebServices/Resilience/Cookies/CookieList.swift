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

    /// The cookies of the lowest rank make room: the least recently used ones, and `Secure` ones last.
    var rank: UInt64 { cookie.isSecure ? lastUse | 1 << 63 : lastUse }
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
    entries.removeAll { $0.cookie.hasEnded(at: now) }
    var matches: [CookieJar.Cookie] = []
    for index in entries.indices where entries[index].cookie.matches(target) {
      entries[index].lastUse = lastUse.increment()
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

  /// Stores the cookies of a response's `Set-Cookie` fields. A cookie that has ended removes the one of the same name,
  /// domain and path. Room is made once for all fields, because that takes time for each cookie of the jar.
  ///
  /// - Returns: `false` if the URL may set none of the cookies.
  mutating func store(_ fields: some Sequence<String>, from target: HTTPURL, now: Date) -> Bool {
    let site = CookieDomain.site(of: target.origin.host)
    let formerUse = lastUse
    var entries = (sites[site] ?? []).filter { !$0.cookie.hasEnded(at: now) }
    for field in fields {
      guard let cookie = CookieJar.Cookie(field, from: target, now: now),
        target.origin.isSecure || !entries.contains(where: { $0.cookie.isShielded(from: cookie) })
      else { continue }
      lastUse += 1
      let former = entries.firstIndex { $0.cookie.isSame(as: cookie) }
      if let former { entries.remove(at: former) }
      if cookie.hasEnded(at: now) { continue }
      entries.insert(Entry(cookie: cookie, lastUse: lastUse), at: former ?? entries.endIndex)
    }
    if let last = Self.lastRank(of: entries, over: Self.limitPerSite) { entries.removeAll { $0.rank <= last } }
    replace(site, by: entries)
    if count > Self.limit {
      removeAll { $0.cookie.hasEnded(at: now) }
      if let last = Self.lastRank(of: sites.values.joined(), over: Self.limit) { removeAll { $0.rank <= last } }
    }
    return lastUse > formerUse
  }

  /// The highest rank of those that are too many; `nil` if none is.
  private static func lastRank(of entries: some Collection<Entry>, over limit: Int) -> UInt64? {
    let excess = entries.count - limit
    return excess > 0 ? entries.map(\.rank).sorted()[excess - 1] : nil
  }

  private mutating func removeAll(where isUnwanted: (Entry) -> Bool) {
    for (site, entries) in sites where entries.contains(where: isUnwanted) {
      replace(site, by: entries.filter { !isUnwanted($0) })
    }
  }

  private mutating func replace(_ site: String, by entries: [Entry]) {
    count += entries.count - (sites[site]?.count ?? 0)
    sites[site] = entries.isEmpty ? nil : entries
  }
}
