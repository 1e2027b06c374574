import Foundation

/// The cookies of a jar. `matches` finds the cookies for a request and `store` takes a `Set-Cookie` field. The number
/// of cookies is limited. Pure.
struct CookieList: Sendable {
  /// The most cookies of one domain, and of all: the least that RFC 6265, section 6.1, asks of a user agent. The least
  /// recently used cookie makes room.
  static let limitPerDomain = 50
  static let limit = 3000

  /// A cookie, and when it was set and used.
  private struct Entry: Sendable {
    var cookie: CookieJar.Cookie
    /// The number of the cookie in the order of first setting. A cookie that is set again keeps its number (RFC 6265,
    /// section 5.3).
    let creation: UInt64
    /// The number of the last use.
    var lastUse: UInt64
  }

  /// The cookies of each domain. A request looks only at its host and the domains above it.
  private var domains: [String: [Entry]] = [:]
  /// The number of the last creation or use.
  private var lastNumber: UInt64 = 0
  private(set) var count = 0

  /// The cookies for a request to a URL: those of longer paths first, then those that were set first (RFC 6265, section
  /// 5.4). Ended cookies are removed.
  mutating func matches(for target: HTTPURL, now: Date) -> [CookieJar.Cookie] {
    guard count > 0 else { return [] }
    lastNumber += 1
    var matches: [Entry] = []
    for domain in Self.domains(of: target.origin.host) {
      guard var entries = domains[domain] else { continue }
      entries.removeAll { $0.cookie.hasEnded(at: now) }
      for index in entries.indices where entries[index].cookie.matches(target) {
        entries[index].lastUse = lastNumber
        matches.append(entries[index])
      }
      // Written back even without a match: ended cookies are gone, and the uses have changed.
      replace(domain, by: entries)
    }
    matches.sort { left, right in
      let (one, other) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
      return one == other ? left.creation < right.creation : one > other
    }
    return matches.map(\.cookie)
  }

  /// Stores the cookie of a `Set-Cookie` field. A cookie that has ended removes the one of the same name, domain and
  /// path.
  ///
  /// - Returns: `false` if the URL may not set the cookie.
  @discardableResult
  mutating func store(_ field: String, from target: HTTPURL, now: Date) -> Bool {
    guard let cookie = SetCookie(field)?.cookie(from: target, now: now), !isShielded(cookie, from: target) else {
      return false
    }
    lastNumber += 1
    var entries = (domains[cookie.domain] ?? []).filter { !$0.cookie.hasEnded(at: now) }
    let former = entries.firstIndex { $0.cookie.isSame(as: cookie) }.map { entries.remove(at: $0) }
    if !cookie.hasEnded(at: now) {
      if entries.count >= Self.limitPerDomain, let index = Self.leastUsed(entries) { entries.remove(at: index) }
      entries.append(Entry(cookie: cookie, creation: former?.creation ?? lastNumber, lastUse: lastNumber))
    }
    replace(cookie.domain, by: entries)
    if count > Self.limit { makeRoom(now: now) }
    return true
  }

  /// Whether a response over http would replace or hide a cookie of the same name that is sent over https alone (draft
  /// RFC 6265bis). Otherwise somebody on the network could plant a cookie of their own.
  private func isShielded(_ cookie: CookieJar.Cookie, from target: HTTPURL) -> Bool {
    guard !target.origin.isSecure else { return false }
    return Self.domains(of: target.origin.host).contains { domain in
      domains[domain]?.contains { entry in
        entry.cookie.isSecure && entry.cookie.name == cookie.name
          && CookiePath.path(cookie.path, isBelow: entry.cookie.path)
      } ?? false
    }
  }

  /// Removes ended cookies, and if that isn't enough, the least recently used one.
  private mutating func makeRoom(now: Date) {
    for (domain, entries) in domains { replace(domain, by: entries.filter { !$0.cookie.hasEnded(at: now) }) }
    guard count > Self.limit else { return }
    let oldest = domains.min { left, right in
      (left.value.map(\.lastUse).min() ?? 0) < (right.value.map(\.lastUse).min() ?? 0)
    }
    guard var entries = oldest?.value, let domain = oldest?.key, let index = Self.leastUsed(entries) else { return }
    entries.remove(at: index)
    replace(domain, by: entries)
  }

  private static func leastUsed(_ entries: [Entry]) -> Int? {
    entries.indices.min { entries[$0].lastUse < entries[$1].lastUse }
  }

  private mutating func replace(_ domain: String, by entries: [Entry]) {
    count += entries.count - (domains[domain]?.count ?? 0)
    domains[domain] = entries.isEmpty ? nil : entries
  }

  /// The host and every domain above it.
  private static func domains(of host: String) -> [String] {
    var domains = [host]
    var rest = host[...]
    while let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      if !rest.isEmpty { domains.append(String(rest)) }
    }
    return domains
  }
}
