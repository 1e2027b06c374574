/// A challenge of a server: an authentication scheme that the server accepts, with its parameters (RFC 9110, section
/// 11.3). Credentials have the same form (section 11.4).
package struct AuthenticationChallenge: Hashable, Sendable {
  package let scheme: String
  /// The parameters by their names in lower case. The first one of a name counts.
  package internal(set) var parameters: [String: String] = [:]
}

extension HTTPHeaders {
  /// The challenges or credentials of the fields with this name, in their order. A malformed part is left out.
  package func challenges(in name: String) -> [AuthenticationChallenge] {
    values(for: name).flatMap { FieldCursor($0).challenges() }
  }
}

extension FieldCursor {
  /// Reads challenges. A comma stands between two parameters and between two challenges, so that a name belongs to a
  /// parameter only if a `=` follows it. The text that some schemes have instead of parameters counts as a parameter or
  /// a scheme that nobody knows.
  consuming func challenges() -> [AuthenticationChallenge] {
    var challenges: [AuthenticationChallenge] = []
    while next != nil {
      skipSpace()
      let name = text(until: " \t=,\"")
      if let value = argument(until: " \t,") {
        // A parameter belongs to the challenge before it. Without one it is malformed.
        if let last = challenges.indices.last, name.utf8.isHTTPToken {
          challenges[last].parameters.merge([name.lowercased(): value]) { first, _ in first }
        }
      } else if name.utf8.isHTTPToken {
        // A name without `=` begins the next challenge, whose first parameter follows without a comma.
        challenges.append(AuthenticationChallenge(scheme: name))
        continue
      }
      skip(after: ",")
    }
    return challenges
  }
}
