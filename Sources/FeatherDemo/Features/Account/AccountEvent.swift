/// Something that happens while the identity changes, for the screen and for programs.
struct AccountEvent: Encodable, Equatable, Sendable {
  enum Kind: String, Encodable, Sendable {
    case signedIn
    case signedOut
    /// A call went out and isn't answered yet.
    case sent
    /// The backend answered a call and said to whom.
    case answered
    /// A call was cancelled, since the one who made it is no longer the one who is signed in.
    case cancelled
    /// The backend refused a call.
    case refused
  }

  let kind: Kind
  /// Who was signed in when it was asked for; `nil` for nobody.
  var user: String?
  /// The path of the call.
  var call: String?
  /// The answer's status.
  var status: Int?
}
