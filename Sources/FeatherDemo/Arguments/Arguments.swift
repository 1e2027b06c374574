import Foundation
import WebServices

/// What the command line asks for, checked.
struct Arguments: Equatable, Sendable {
  static let countRange = 1...100
  static let pageSizeRange = 1...100

  var command = Command.signInAndJokes
  /// How many jokes or events.
  var count = 10
  /// How many items are asked for at once.
  var pageSize = 10
  /// Whether all items are gathered before any is shown.
  var gathersAll = false
  /// What `request` does.
  var method = HTTPMethod.get
  /// What a request is sent to; `nil` where the command knows it itself.
  var target: Target?
  /// The file that is sent or written.
  var file = ""
  /// Which photo.
  var photoID: Int16 = 1
  /// The header fields of `request`.
  var headers = HTTPHeaders()
  /// The content of `request`.
  var body: BodyArgument?
  /// Where the content of an answer goes instead of the screen.
  var outputFile: String?
  /// Whether the request is shown as a cURL line and not sent.
  var printsCurlCommand = false
  /// Where to serve; 0 stands for a port of the system's choice.
  var port: UInt16 = 0
  /// The server; `nil` stands for the demo's own.
  var baseURL: URL?
  /// Who signs in; `nil` stands for the demo account.
  var user: String?
  var isVerbose = false
  var printsJSON = false

  /// The file that is sent or written, where there is one.
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
