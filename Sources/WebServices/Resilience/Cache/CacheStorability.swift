import Foundation

/// Decides whether an answer may be stored, and is worth it (RFC 9111, section 3), by the rules of a private cache.
enum CacheStorability {
  // Every answer is asked: to look a number up in a set takes longer.

  /// Whether responses of the status may be taken for fresh without their saying so (RFC 9110, section 15.1).
  static func isHeuristic(_ statusCode: Int) -> Bool {
    switch statusCode {
    case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
    default: false
    }
  }

  /// Whether what the status means for a cache is known.
  static func isUnderstood(_ statusCode: Int) -> Bool {
    switch statusCode {
    case 302, 303, 307: true
    default: isHeuristic(statusCode)
    }
  }

  /// Whether responses of the status may be stored: they are final and speak of the resource. The others speak of one
  /// request, its credentials (401, 407), its conditions (412, 416, 417), its connection or time (408, 421, 425), or of
  /// too much of something (428, 429, 431 and 511, which RFC 6585 forbids to store).
  static func isStorable(_ statusCode: Int) -> Bool {
    switch statusCode {
    case 304, 401, 407, 408, 412, 416, 417, 421, 425, 428, 429, 431, 511: false
    default: (200...599).contains(statusCode)
    }
  }

  /// - Parameters:
  ///   - response: the answer as it came.
  ///   - cached: the same, made ready to be stored.
  static func canStore(
    _ response: WebServiceResponse, as cached: CachedResponse, to request: TransportRequest, rules: CacheRules
  ) -> Bool {
    guard request.method == .get || request.method == .head, isStorable(cached.statusCode),
      cached.facts.varyingNames != nil, !CacheControl(request.headers).contains("no-store"),
      cached.method == .head || isComplete(response), !cached.facts.isNoStore
    else { return false }
    // A part has to say which, and its bytes have to be those that the server counts.
    if cached.statusCode == 206, cached.contentRange == nil || cached.isDecoded || CacheRange(request) == nil {
      return false
    }
    // RFC 9111, section 3.
    guard isHeuristic(cached.statusCode) || cached.facts.isDeclaredCacheable,
      isUnderstood(cached.statusCode) || !cached.facts.mustBeUnderstood
    else { return false }
    return isUseful(cached, rules: rules)
  }

  /// Whether an answer may be one for the store, as far as can be told before it is made ready for it.
  static func mayStore(_ response: WebServiceResponse) -> Bool {
    guard isStorable(response.statusCode) else { return false }
    var lines = 0
    var isPlain = false
    let fields = response.headers.fields
    // By index, and not by element: that would be a copy of both strings of each.
    for index in fields.indices where fields[index].name.equalsIgnoringASCIICase("Cache-Control") {
      lines += 1
      isPlain = fields[index].value == "no-store"
    }
    // What servers write who want nothing stored needs no parser.
    if lines == 0 || (lines == 1 && isPlain) { return lines == 0 }
    return !CacheControl(response.headers).isNoStore
  }

  /// The transport fails on an answer that breaks off; this is for those sessions that don't.
  private static func isComplete(_ response: WebServiceResponse) -> Bool {
    guard let length = response.headers["Content-Length"], response.headers["Content-Encoding"] == nil else {
      return true
    }
    return Int(length) == response.body.count
  }

  /// What can neither be used as it is nor be confirmed would only take room.
  private static func isUseful(_ response: CachedResponse, rules: CacheRules) -> Bool {
    let facts = response.facts
    if !facts.conditions.isEmpty { return true }
    guard !facts.isNoCache else { return false }
    let lifetime = facts.lifetime(heuristicLimit: rules.heuristicLimit)
    if facts.mustRevalidate { return lifetime > 0 }
    if lifetime > 0 || facts.staleWhileRevalidate > 0 { return true }
    return response.canStandIn && (facts.staleIfError ?? rules.staleIfError) > 0
  }
}
