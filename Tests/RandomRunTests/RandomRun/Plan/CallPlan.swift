/// One call of a client: its request, its form, and the servers' responses to its requests.
struct CallPlan: Sendable {
  enum Form: Sendable { case completion, awaited, streamed, streamAwaited, download, events, pages }
  enum Authorization: Sendable { case none, apiToken, header, bearer, basic, signer }
  enum Target: Sendable {
    /// A path that only this call has.
    case own
    case shared(Int)
  }
  enum Body: Sendable, CaseIterable {
    case none, json, form, formWithLineEnd, formWithRawByte, jsonLines, xml, multipart, largeJSON, compressed
    case text, opaque, file, stream, streamOnce
  }

  var number: Int
  var client: Int
  var form = Form.completion
  var method = "GET"
  var target = Target.own
  var body = Body.none
  var authorization = Authorization.none {
    // A visitor has no account. The checks know one identity for each call.
    didSet { if authorization != .none { hasVisitor = false } }
  }
  var isDeclaredIdempotent = false
  var hasSecretInQuery = false
  /// Whether the app names its user in a field of its own.
  var hasVisitor = false
  /// The file of a kept download, which other calls may have too; `nil` for a file of the call's own.
  var keptFile: Int?
  /// A `Host` field that the app sets.
  var host: String?
  var timeout: Double?
  var deadline: Double?
  /// The responses to the first request, the second, and so on. The last response repeats.
  var script: [Behaviour] = [.lines(1)]

  var needsToken: Bool {
    switch authorization {
    case .none, .basic: false
    case .apiToken, .header, .bearer, .signer: true
    }
  }

  /// Whether a server may receive the request twice.
  var isIdempotent: Bool { isDeclaredIdempotent || method != "POST" && method != "PATCH" }

  var isStream: Bool {
    switch form {
    case .streamed, .streamAwaited, .events: true
    case .completion, .awaited, .download, .pages: false
    }
  }

  /// The path of the first request.
  var path: String {
    switch target {
    case .own: "/c/\(number)/0"
    case .shared(let resource): "/r/\(resource)"
    }
  }

  /// The target that the lines of the responses name.
  var label: String {
    switch target {
    case .own: "c\(number)"
    case .shared(let resource): "r\(resource)"
    }
  }

  /// The script at a place such as `0.2.1`: the redirect at index 2 leads to a script, whose redirect at index 1 leads
  /// to another.
  func script(at place: String) -> [Behaviour] {
    place.split(separator: ".").dropFirst().reduce(script) { script, index in
      guard let index = Int(index), script.indices.contains(index), case .redirect(_, _, let next, _) = script[index]
      else { return [] }
      return next
    }
  }

  /// The identity of a call with its own password.
  var ownIdentity: Int { 9000 + number }
}
