/// One transfer of a request: the session gets it once. A retry, a redirect or another token begins the next transfer.
struct RequestTransfer: Sendable {
  /// The choice between a reused and a new connection. A transfer on a reused connection that was closed is sent again
  /// on a new one.
  ///
  /// | choice | next choice |
  /// |---|---|
  /// | `any` | `new` after a transfer on a closed connection |
  /// | `new` | `newWasUsed` with the next transfer |
  /// | `newWasUsed` | `any` after a redirect |
  enum Connection: Sendable {
    case any
    /// A connection that was never used.
    case new
    /// An earlier transfer of the step has used a new connection: it is granted once a step.
    case newWasUsed
  }

  /// Counts the transfers of the request from 1.
  let number: Int
  /// The request with its credentials.
  let request: TransportRequest
  let connection: Connection
  /// Whether a redirect led to the transfer, which has the time that is left of the attempt.
  let isFollowing: Bool
}
