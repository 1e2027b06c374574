/// One call of a client: its request, its form, and the servers' responses to its requests.
struct CallPlan: Sendable {
  enum Form: Sendable, CaseIterable { case completion, awaited, streamed, streamAwaited, download }
  enum Authorization: Sendable, CaseIterable { case none, apiToken, header, bearer, basic, signer }
  enum Body: Sendable, CaseIterable {
    case none, json, form, xml, multipart, largeJSON, compressed, opaque, file, stream, streamOnce
  }

  var number: Int
  var client = 0
  var form = Form.completion
  var method = "GET"
  var body = Body.none
  var authorization = Authorization.none
  var isDeclaredIdempotent = false
  var hasSecretInQuery = false
  var timeout: Double?
  var deadline: Double?
  /// The responses to the first request, the second, and so on. The last response repeats.
  var script: [Behaviour] = [.lines(1)]

  /// Whether a server may receive the request twice.
  var isIdempotent: Bool { isDeclaredIdempotent || method != "POST" && method != "PATCH" }

  var isStream: Bool { form == .streamed || form == .streamAwaited }

  /// The path of the first request.
  var path: String { "/c/\(number)/0" }

  /// The target that the lines of the responses name.
  var label: String { "c\(number)" }

  /// The script at a place such as `0.2.1`: the redirect at index 2 leads to a script, whose redirect at index 1 leads
  /// to another.
  func script(at place: String) -> [Behaviour] {
    place.split(separator: ".").dropFirst().reduce(script) { script, index in
      guard let index = Int(index), script.indices.contains(index), case .redirect(_, _, let next, _) = script[index]
      else { return [] }
      return next
    }
  }
}
