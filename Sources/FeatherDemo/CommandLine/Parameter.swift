import Foundation
import WebServices

/// An option or an operand of the command line. `set` checks the value and stores it. An error message never repeats a
/// value that may be a secret.
struct Parameter: Sendable {
  /// The text to type for an option, such as `--count`; the name in the help for an operand, such as `URL`.
  let name: String
  /// The name of an option's value in the help; `nil` for a switch.
  var value: String?
  var meaning = ""
  let set: @Sendable (inout Arguments, String) throws(UsageError) -> Void

  /// The options of every command that sends requests.
  static let client = [baseURL, json, verbose]
  /// The options of every command that signs in.
  static let signedIn = [user] + client
  static let allOptions = [count, header, data, output, curl, to, port, baseURL, user, json, verbose]

  static let count = Parameter(
    name: "--count", value: "N", meaning: "how many to show, 1 to 100; 10 by default",
    set: { arguments, text throws(UsageError) in arguments.count = try number(text, "--count", in: 1...100) })
  static let header = Parameter(
    name: "--header", value: "'NAME: VALUE'", meaning: "a header field; you can repeat this option",
    set: { arguments, text throws(UsageError) in
      guard let colon = text.firstIndex(of: ":"), colon > text.startIndex, !text.contains(where: \.isNewline) else {
        throw UsageError("--header takes a field in one line, such as 'Accept: text/plain'.")
      }
      let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      arguments.headers.add(name: String(text[..<colon]), value: value)
    })
  static let data = Parameter(
    name: "--data", value: "TEXT|@FILE", meaning: "the body: JSON, the text of a form, or a file",
    set: { arguments, text throws(UsageError) in
      guard text != "@" else { throw UsageError("--data takes text, or @ and the path of a file.") }
      arguments.body = text.hasPrefix("@") ? .file(String(text.dropFirst())) : .text(text)
    })
  static let output = Parameter(
    name: "--output", value: "FILE", meaning: "writes the content to a file",
    set: { arguments, text throws(UsageError) in arguments.outputFile = try path(text, "--output") })
  static let curl = Parameter(
    name: "--curl", meaning: "prints the request as a cURL line, without secrets, and sends nothing",
    set: { arguments, _ in arguments.printsCurlCommand = true })
  static let to = Parameter(
    name: "--to", value: "URL", meaning: "the URL to upload to; by default the demo's server",
    set: { arguments, text throws(UsageError) in arguments.target = try target(text, "--to") })
  static let port = Parameter(
    name: "--port", value: "N", meaning: "the port, 0 to 65535; by default the system chooses one",
    set: { arguments, text throws(UsageError) in
      arguments.port = UInt16(try number(text, "--port", in: 0...65_535))
    })
  static let baseURL = Parameter(
    name: "--base-url", value: "URL", meaning: "the server, such as http://127.0.0.1:8080; by default the demo's own",
    set: { arguments, text throws(UsageError) in
      guard case .address(let url)? = Target(text) else { throw UsageError("--base-url takes \(addresses).") }
      try checkUser(of: url, "--base-url")
      arguments.baseURL = url
    })
  static let user = Parameter(
    name: "--user", value: "NAME", meaning: "the user to sign in",
    set: { arguments, text throws(UsageError) in
      guard !text.isEmpty else { throw UsageError("--user takes a name that isn't empty.") }
      arguments.user = text
    })
  static let json = Parameter(
    name: "--json", meaning: "prints JSON on standard output", set: { arguments, _ in arguments.printsJSON = true })
  static let verbose = Parameter(
    name: "--verbose", meaning: "logs each request on standard error, without secrets",
    set: { arguments, _ in arguments.isVerbose = true })

  static let method = Parameter(
    name: "METHOD",
    set: { arguments, text throws(UsageError) in
      guard !text.isEmpty else { throw UsageError("METHOD takes a request method such as GET or POST.") }
      // Methods are case-sensitive (RFC 9110, section 9.1), and all registered ones are upper case.
      arguments.method = HTTPMethod(rawValue: text.uppercased())
    })
  static let url = Parameter(
    name: "URL", set: { arguments, text throws(UsageError) in arguments.target = try target(text, "URL") })
  static let file = Parameter(
    name: "FILE", set: { arguments, text throws(UsageError) in arguments.file = try path(text, "FILE") })
  static let photoID = Parameter(
    name: "ID",
    set: { arguments, text throws(UsageError) in
      arguments.photoID = Int16(try number(text, "ID", in: 1...Int(Int16.max)))
    })

  private static func number(_ text: String, _ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\".")
    }
    return number
  }

  private static func path(_ text: String, _ name: String) throws(UsageError) -> String {
    guard !text.isEmpty, !text.utf8.contains(0) else { throw UsageError("\(name) takes the path of a file.") }
    return text
  }

  private static let addresses = "an address that begins with http:// or https:// and names a host"

  private static func target(_ text: String, _ name: String) throws(UsageError) -> Target {
    guard let target = Target(text) else {
      throw UsageError("\(name) takes \(addresses), or a path on the demo's server.")
    }
    if case .address(let url) = target { try checkUser(of: url, name) }
    return target
  }

  private static func checkUser(of url: URL, _ name: String) throws(UsageError) {
    guard url.user == nil, url.password == nil else {
      throw UsageError("\(name) takes no user and no password: everybody on this machine can read arguments.")
    }
  }
}
