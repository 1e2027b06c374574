/// A challenge of a server: an authentication scheme that the server accepts, with its parameters (RFC 9110, section
/// 11.3). Read the challenges of a response with `challenges`.
public struct AuthenticationChallenge: Hashable, Sendable {
  /// The scheme with its original case. Compare it without case.
  public let scheme: String
  /// The text after the scheme, if there is one instead of parameters (`Negotiate`).
  public let token: String?
  /// The parameters by their names in lower case. The first one of a name counts.
  public private(set) var parameters: [String: String]

  /// Creates a challenge. Each parameter sets the property of the same name.
  public init(scheme: String, token: String? = nil, parameters: [String: String] = [:]) {
    self.scheme = scheme
    self.token = token
    self.parameters = parameters
  }

  /// The value of a parameter, compared without case.
  public subscript(name: String) -> String? { parameters[name] ?? parameters[name.lowercased()] }

  /// Whether the challenge has the scheme, compared without case.
  public func has(scheme name: String) -> Bool { scheme.equalsIgnoringASCIICase(name) }

  /// The space to which the credentials belong, in the server's own words.
  public var realm: String? { self["realm"] }
}

extension AuthenticationChallenge {
  fileprivate mutating func add(_ name: String, _ value: String, limit: Int) {
    let key = name.lowercased()
    guard name.utf8.isHTTPToken, parameters.count < limit, parameters[key] == nil else { return }
    parameters[key] = value
  }
}

extension WebServiceResponse {
  /// The challenges of the fields `WWW-Authenticate` (RFC 9110, section 11.6.1), in their order. A malformed part is
  /// left out.
  public var challenges: [AuthenticationChallenge] { headers.challenges(in: "WWW-Authenticate") }
}

extension HTTPHeaders {
  /// More challenges or parameters than a server has use for.
  private static let limit = 100

  func challenges(in name: String) -> [AuthenticationChallenge] {
    var challenges: [AuthenticationChallenge] = []
    for value in values(for: name) {
      var cursor = FieldCursor(value)
      challenges += cursor.challenges(limit: Self.limit)
    }
    return Array(challenges.prefix(Self.limit))
  }
}

extension FieldCursor {
  /// Reads challenges. A comma stands between two parameters and between two challenges, so that a name belongs to a
  /// parameter only if a `=` follows it.
  fileprivate mutating func challenges(limit: Int) -> [AuthenticationChallenge] {
    var challenges: [AuthenticationChallenge] = []
    while next != nil {
      skipSpace()
      let name = text(until: " \t=,\"")
      let isFollowedBySpace = next == UInt8(ascii: " ") || next == UInt8(ascii: "\t")
      skipSpace()
      if skip("=") {
        skipSpace()
        let value = quotedString() ?? text(until: " \t,")
        // A parameter belongs to the challenge before it. Without one it is malformed.
        if let last = challenges.indices.last { challenges[last].add(name, value, limit: limit) }
        skip(after: ",")
      } else if name.utf8.isHTTPToken {
        guard challenges.count < limit else { return challenges }
        // A name without `=` begins the next challenge.
        challenges.append(AuthenticationChallenge(scheme: name, token: isFollowedBySpace ? token68() : nil))
        if next == UInt8(ascii: ",") { skip(after: ",") }
      } else {
        skip(after: ",")
      }
    }
    return challenges
  }

  /// Reads the text of a scheme without parameters, if one comes next: the end or a comma follows it.
  private mutating func token68() -> String? {
    let start = self
    var text = text(until: " \t=,\"")
    while skip("=") { text += "=" }
    skipSpace()
    guard !text.isEmpty, text.utf8.allSatisfy(ByteSet.token68.contains), next == nil || next == UInt8(ascii: ",") else {
      self = start
      return nil
    }
    return text
  }
}
