import Foundation
import WebServices

/// The request body that the user typed on the command line.
enum BodyArgument: Equatable, Sendable {
  case text(String)
  case file(String)
  case json(String)

  /// Reads the value of `--data`: `@FILE` is the content of that file, anything else is the text itself.
  init(data: String) {
    self = data.hasPrefix("@") ? .file(String(data.dropFirst())) : .text(data)
  }

  /// The body to send. Text gets the content type of a form, as it does with cURL.
  var requestBody: RequestBody {
    switch self {
    case .text(let text): .data(Data(text.utf8), contentType: "application/x-www-form-urlencoded")
    case .file(let path): .file(URL(fileURLWithPath: path))
    case .json(let text): .data(Data(text.utf8), contentType: "application/json")
    }
  }
}
