import Foundation

/// Decides whether an answer may be stored, and is worth it (RFC 9111, section 3), by the rules of a private cache.
enum CacheStorability {
  // Every answer is asked: to look a number up in a set takes longer.

  /// Whether answers of the status may be taken for fresh without their saying so (RFC 9110, section 15.1); 206 isn't
  /// stored.
  static func isHeuristic(_ statusCode: Int) -> Bool {
    switch statusCode {
    case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
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

  /// - Parameters:
  ///   - response: the answer as it came.
  ///   - cached: the same, made ready to be stored.
  static func canStore(
    _ response: WebServiceResponse, as cached: CachedResponse, to request: TransportRequest, rules: CacheRules
  ) -> Bool {
    guard request.method == .get || request.method == .head, isUnderstood(cached.statusCode),
      cached.facts.varyingNames != nil, !CacheControl(request.headers).contains("no-store"),
      cached.method == .head || isComplete(response), !cached.facts.isNoStore
    else { return false }
    return isUseful(cached.facts, rules: rules)
  }

  /// Whether an answer may be one for the store, as far as can be told before it is made ready for it.
  static func mayStore(_ response: WebServiceResponse) -> Bool {
    guard isUnderstood(response.statusCode) else { return false }
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
  private static func isUseful(_ facts: CacheFacts, rules: CacheRules) -> Bool {
    if !facts.conditions.isEmpty { return true }
    guard !facts.isNoCache else { return false }
    let lifetime = facts.lifetime(heuristicLimit: rules.heuristicLimit)
    if facts.mustRevalidate { return lifetime > 0 }
    return lifetime > 0 || facts.staleWhileRevalidate > 0 || (facts.staleIfError ?? rules.staleIfError) > 0
  }
}
