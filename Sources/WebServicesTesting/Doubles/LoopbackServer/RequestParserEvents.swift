import WebServicesCore

extension RequestParser {
  /// The events of one request in order: a head, any number of body pieces, an end. A failure ends the parser.
  enum Event: Equatable {
    /// The request line and the header fields are complete.
    case head(Head)
    /// A piece of the body.
    case body([UInt8])
    /// The request is complete.
    case end(trailers: HTTPHeaders)
    /// The bytes aren't a valid request. No event follows.
    case failure(Failure)
  }

  /// The head of a request.
  struct Head: Equatable {
    var method: HTTPMethod
    var target: String
    /// The minor version of `HTTP/1.x`.
    var minorVersion: Int
    var headers: HTTPHeaders
    var expectsContinue = false
    var keepsAlive = true
  }

  /// The reason for which a request is rejected.
  struct Failure: Error, Equatable {
    var status: Int
    var reason: String

    static func bad(_ reason: String) -> Failure { Failure(status: 400, reason: reason) }
  }
}
