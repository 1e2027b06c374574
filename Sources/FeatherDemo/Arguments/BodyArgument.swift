import Foundation
import WebServices

/// The content that a command line gives to a request.
enum BodyArgument: Equatable, Sendable {
  case text(String)
  case file(String)
  case json(String)

  /// Of `--data`: `@FILE` stands for what is in the file.
  init(data: String) {
    self = data.hasPrefix("@") ? .file(String(data.dropFirst())) : .text(data)
  }

  /// The same as it is sent. Text without a type of its own is taken for a form, as cURL does.
  var requestBody: RequestBody {
    switch self {
    case .text(let text): .data(Data(text.utf8), contentType: "application/x-www-form-urlencoded")
    case .file(let path): .file(URL(fileURLWithPath: path))
    case .json(let text): .data(Data(text.utf8), contentType: "application/json")
    }
  }
}
