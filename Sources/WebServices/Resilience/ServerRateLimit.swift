package import Foundation

/// The rate limit that a server announced in a response: how many more requests it accepts, and when that number is
/// reset.
package struct ServerRateLimit: Hashable, Sendable {
  /// How many more requests the server accepts, never negative.
  package var remaining: Int
  /// The seconds until the server accepts more, never negative; `nil` if the server doesn't say.
  package var resetsAfter: TimeInterval?

  /// Creates a value.
  package init(remaining: Int, resetsAfter: TimeInterval?) {
    self.remaining = remaining
    self.resetsAfter = resetsAfter
  }

  /// Reads the headers of a response; `nil` if they contain no limit.
  ///
  /// First comes `RateLimit` with `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers, and its earlier form
  /// `limit=…, remaining=…, reset=…`). Then come `RateLimit-Remaining`, `X-RateLimit-Remaining` and
  /// `X-Rate-Limit-Remaining`, each with its `-Reset`: seconds from now, seconds or milliseconds since 1970, or a date.
  /// Of several limits the strictest counts.
  ///
  /// - Parameters:
  ///   - headers: the header fields of a response.
  ///   - now: the time of day, in place of a missing `Date` in the response. Evaluated only if there is a limit.
  package init?(_ headers: HTTPHeaders, now: @autoclosure () -> Date) {
    // Every response is looked at, and nearly none has these fields.
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

  /// How long to send nothing, in seconds; `nil` if requests remain, or if the server names no end.
  package var pause: TimeInterval? { remaining == 0 ? resetsAfter : nil }

  private func isStricter(than other: ServerRateLimit) -> Bool {
    guard remaining == other.remaining else { return remaining < other.remaining }
    return (resetsAfter ?? 0) > (other.resetsAfter ?? 0)
  }
}

extension String {
  private static let rateLimitPrefixes = ["ratelimit", "x-ratelimit", "x-rate-limit"]

  fileprivate var isNamedAfterRateLimits: Bool {
    // This runs for every field of every response.
    guard let first = utf8.first?.asciiLowercased, first == UInt8(ascii: "r") || first == UInt8(ascii: "x") else {
      return false
    }
    return Self.rateLimitPrefixes.contains { utf8.starts(with: $0.utf8, by: { $0.asciiLowercased == $1 }) }
  }
}
