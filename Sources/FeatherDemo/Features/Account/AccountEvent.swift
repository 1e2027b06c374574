/// An event of the `account` command.
struct AccountEvent: Encodable, Equatable, Sendable {
  enum Kind: String, Encodable, Sendable {
    case signedIn
    case signedOut
    /// A call is in progress.
    case sent
    /// The backend sent a response, which names the user.
    case succeeded
    /// A call was cancelled because another user signed in.
    case cancelled
    /// The backend refused a call.
    case refused
  }

  let kind: Kind
  /// The user of the call; `nil` if nobody was signed in.
  var user: String?
  /// The path of the call.
  var call: String?
  /// The status of the response.
  var status: Int?
}
