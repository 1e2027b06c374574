/// One call of a client: what it sends, how it is made, and what the servers do with each of its requests.
struct CallPlan: Sendable {
  enum Form: Sendable { case completion, awaited, streamed, streamAwaited, download, events, pages }
  enum Authorization: Sendable { case none, apiToken, header, bearer, basic, signer }
  enum Target: Sendable {
    /// A path that no other call has.
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
  var authorization = Authorization.none
  var isDeclaredIdempotent = false
  var hasSecretInQuery = false
  /// A `Host` field that is set by hand.
  var host: String?
  var timeout: Double?
  var deadline: Double?
  /// What is done with the first request to its own path, with the second, and so on; the last again and again.
  var script: [Behaviour] = [.lines(1)]

  var needsToken: Bool {
    switch authorization {
    case .none, .basic: false
    case .apiToken, .header, .bearer, .signer: true
    }
  }

  /// Whether a server may receive it twice.
  var isIdempotent: Bool { isDeclaredIdempotent || method != "POST" && method != "PATCH" }

  var isStream: Bool {
    switch form {
    case .streamed, .streamAwaited, .events: true
    case .completion, .awaited, .download, .pages: false
    }
  }

  /// The path of its first request.
  var path: String {
    switch target {
    case .own: "/c/\(number)/0"
    case .shared(let resource): "/r/\(resource)"
    }
  }

  /// The target that the lines of its responses name.
  var label: String {
    switch target {
    case .own: "c\(number)"
    case .shared(let resource): "r\(resource)"
    }
  }

  /// The script at a place such as `0.2.1`: the redirect at index 2 leads to a script, whose redirect at 1 leads on.
  func script(at place: String) -> [Behaviour] {
    place.split(separator: ".").dropFirst().reduce(script) { script, index in
      guard let index = Int(index), script.indices.contains(index), case .redirect(_, _, let next, _) = script[index]
      else { return [] }
      return next
    }
  }

  /// The identity of a call that has a password of its own.
  var ownIdentity: Int { 9000 + number }
}
