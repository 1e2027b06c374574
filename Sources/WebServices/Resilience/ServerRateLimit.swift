package import Foundation

/// The server's word on how many more requests it takes from this client.
package struct ServerRateLimit: Hashable, Sendable {
  /// How many more requests it takes, never negative.
  package var remaining: Int
  /// In how many seconds it takes more, where it says so; never negative.
  package var resetsAfter: TimeInterval?

  /// Creates a value.
  package init(remaining: Int, resetsAfter: TimeInterval?) {
    self.remaining = remaining
    self.resetsAfter = resetsAfter
  }

  /// Reads what the headers of an answer say; `nil` where they say nothing that can be read.
  ///
  /// Understood are, in this order, `RateLimit` with `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers, and its
  /// earlier form `limit=…, remaining=…, reset=…`), then `RateLimit-Remaining`, `X-RateLimit-Remaining` and
  /// `X-Rate-Limit-Remaining`, each with its `-Reset`: seconds from now, or seconds or milliseconds since 1970, or a
  /// date. Of several limits the strictest counts.
  ///
  /// - Parameters:
  ///   - headers: the header fields of an answer.
  ///   - now: the time of day, for moments where the answer has no `Date`; asked only where there is a limit.
  package init?(_ headers: HTTPHeaders, now: @autoclosure () -> Date) {
    // Nearly every answer has none of them, and this is asked of every answer.
    guard headers.fields.contains(where: { $0.name.isNamedAfterRateLimits }) else { return nil }
    let standard = RateLimitFields.limits(
      headers.values(for: "RateLimit"), policies: headers.values(for: "RateLimit-Policy"))
    if let strictest = standard.min(by: { $0.isStricter(than: $1) }) {
      self = strictest
      return
    }
    for prefix in ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"] {
      guard let remaining = headers[prefix + "Remaining"].flatMap(RateLimitFields.count) else { continue }
      let reset = headers[prefix + "Reset"].flatMap {
        RateLimitFields.reset($0, at: headers.serverDate(now: now()))
      }
      self.init(remaining: remaining, resetsAfter: reset)
      return
    }
    return nil
  }

  /// How long to send nothing, in seconds; `nil` where something is left, or where the server doesn't say until when.
  package var pause: TimeInterval? { remaining == 0 ? resetsAfter : nil }

  private func isStricter(than other: ServerRateLimit) -> Bool {
    guard remaining == other.remaining else { return remaining < other.remaining }
    return (resetsAfter ?? 0) > (other.resetsAfter ?? 0)
  }
}

extension String {
  private static let rateLimitPrefixes = ["ratelimit", "x-ratelimit", "x-rate-limit"]

  fileprivate var isNamedAfterRateLimits: Bool {
    // Every field of every response is asked.
    guard let first = utf8.first?.asciiLowercased, first == UInt8(ascii: "r") || first == UInt8(ascii: "x") else {
      return false
    }
    return Self.rateLimitPrefixes.contains { utf8.starts(with: $0.utf8, by: { $0.asciiLowercased == $1 }) }
  }
}
