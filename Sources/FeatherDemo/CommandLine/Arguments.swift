import Foundation
import WebServices

/// The checked values of a command line.
struct Arguments: Equatable, Sendable {
  /// The request body that the user typed.
  enum Body: Equatable, Sendable {
    case text(String)
    case file(String)
  }

  var command = Command.signInAndJokes
  /// The number of jokes or events to show.
  var count = 10
  /// The method that `request` sends.
  var method = HTTPMethod.get
  /// The URL that the request is sent to; `nil` for commands with a fixed one.
  var target: Target?
  /// The file to send or to write.
  var file = ""
  var photoID: Int16 = 1
  /// The header fields that `request` sends.
  var headers = HTTPHeaders()
  /// The body that `request` sends.
  var body: Body?
  /// The file that receives the response's content; `nil` prints the content.
  var outputFile: String?
  /// Prints the request as a cURL line and sends nothing.
  var printsCurlCommand = false
  /// The port to listen on; 0 lets the system choose a free port.
  var port: UInt16 = 0
  /// The server to use; `nil` starts the demo's own.
  var baseURL: URL?
  /// The user to sign in; `nil` is the demo account.
  var user: String?
  var isVerbose = false
  var printsJSON = false
}
