import Foundation
import WebServices

/// The checked values of a command line. `apply` checks and stores the value of an option or of an operand.
struct Arguments: Equatable, Sendable {
  static let countRange = 1...100
  static let pageSizeRange = 1...100

  var command = Command.signInAndJokes
  /// The number of jokes or events to show.
  var count = 10
  /// The number of items to request per page.
  var pageSize = 10
  /// Collects all items before printing the first one.
  var gathersAll = false
  /// The method that `request` sends.
  var method = HTTPMethod.get
  /// The URL that the request is sent to; `nil` for commands with a fixed one.
  var target: Target?
  /// The file to send or to write.
  var file = ""
  /// The number of the photo to show.
  var photoID: Int16 = 1
  /// The header fields that `request` sends.
  var headers = HTTPHeaders()
  /// The body that `request` sends.
  var body: BodyArgument?
  /// The file that receives the response's content; `nil` prints the content instead.
  var outputFile: String?
  /// Prints the request as a cURL line and sends nothing.
  var printsCurlCommand = false
  /// The port to listen on; 0 lets the system choose a free port.
  var port: UInt16 = 0
  /// The server to use; `nil` starts the demo's own backend.
  var baseURL: URL?
  /// The user to sign in; `nil` is the demo account.
  var user: String?
  var isVerbose = false
  var printsJSON = false

  /// The file that the command reads or writes; `nil` if it touches none.
  var namedFile: String? {
    if case .file(let path)? = body { return path }
    return file.isEmpty ? outputFile : file
  }

  mutating func apply(_ option: Option, value: String) throws(UsageError) {
    switch option {
    case .count: count = try number(value, of: option, in: Self.countRange)
    case .pageSize: pageSize = try number(value, of: option, in: Self.pageSizeRange)
    case .all: gathersAll = true
    case .header:
      let field = try headerField(value)
      headers.add(name: field.name, value: field.value)
    case .data: try setBody(BodyArgument(data: value))
    case .output: outputFile = try path(value, named: option.rawValue)
    case .curl: printsCurlCommand = true
    case .to: target = try target(value, named: option.rawValue)
    case .port: port = UInt16(try number(value, of: option, in: 0...65_535))
    case .baseURL: baseURL = try base(value)
    case .user: user = try user(value)
    case .json: try applyJSON(value)
    case .verbose: isVerbose = true
    }
  }

  mutating func apply(_ operand: Operand, value: String) throws(UsageError) {
    switch operand {
    case .method: method = try method(value)
    case .url: target = try target(value, named: operand.rawValue)
    case .file: file = try path(value, named: operand.rawValue)
    case .photoID: photoID = try photoID(value)
    case .login: try expect(operand.rawValue, value)
    }
  }
}
