import Foundation
import WebServices

// The checks of each value. Error messages never repeat a value that may hold a secret.
extension Arguments {
  func number(_ text: String, of option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(option.rawValue) takes a whole number from \(range.lowerBound) to \(range.upperBound),"
          + " not \"\(text)\".",
        command: command)
    }
    return number
  }

  func user(_ name: String) throws(UsageError) -> String {
    guard !name.isEmpty else { throw UsageError("--user takes a name that isn't empty.", command: command) }
    return name
  }

  func path(_ path: String, named name: String) throws(UsageError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw UsageError("\(name) takes the path of a file.", command: command)
    }
    return path
  }

  func base(_ text: String) throws(UsageError) -> URL {
    guard let url = Target.address(text) else {
      throw UsageError(
        "--base-url takes an address that begins with http:// or https:// and names a host.", command: command)
    }
    guard url.user == nil, url.password == nil else {
      throw UsageError(
        "--base-url takes no user and no password: use --user and FEATHER_PASSWORD.", command: command)
    }
    return url
  }

  func target(_ text: String, named name: String) throws(UsageError) -> Target {
    guard let target = Target(text) else {
      throw UsageError(
        "\(name) takes an address that begins with http:// or https:// and names a host, or a path at the"
          + " demo's server.",
        command: command)
    }
    if case .address(let url) = target, url.user != nil || url.password != nil {
      throw UsageError(
        "\(name) takes no user and no password: everybody on this machine can read arguments.", command: command)
    }
    return target
  }

  func method(_ text: String) throws(UsageError) -> HTTPMethod {
    guard !text.isEmpty, text.utf8.allSatisfy(Self.isTokenByte) else {
      throw UsageError("METHOD takes a request method such as GET or POST.", command: command)
    }
    return HTTPMethod(rawValue: text)
  }

  func headerField(_ text: String) throws(UsageError) -> HTTPHeaders.Field {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    guard parts.count == 2, let name = parts.first, !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte),
      !value.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F })
    else {
      throw UsageError("--header takes a field in one line, such as 'Accept: text/plain'.", command: command)
    }
    return HTTPHeaders.Field(name: String(name), value: value)
  }

  func photoID(_ text: String) throws(UsageError) -> Int16 {
    guard let id = Int16(text), id > 0 else {
      throw UsageError("ID takes a whole number from 1 to \(Int16.max), not \"\(text)\".", command: command)
    }
    return id
  }

  /// Refuses any text but the word that must stand here, such as `login` after `menu`.
  func expect(_ word: String, _ text: String) throws(UsageError) {
    guard text == word else {
      throw UsageError("after \"\(command.name ?? "")\" comes \"\(word)\", not \"\(text)\".", command: command)
    }
  }

  mutating func setBody(_ argument: BodyArgument) throws(UsageError) {
    guard body == nil else {
      throw UsageError("a request has one content: --data or --json, once.", command: command)
    }
    if case .file(let path) = argument, path.isEmpty {
      throw UsageError("--data @FILE takes the path of a file.", command: command)
    }
    body = argument
  }

  /// Sets the body to send for `request`, and JSON output for every other command.
  mutating func applyJSON(_ value: String) throws(UsageError) {
    guard command == .request else {
      printsJSON = true
      return
    }
    guard JSONLayout.pretty(Data(value.utf8)) != nil else {
      throw UsageError("--json takes JSON, such as '{\"name\": \"value\"}'.", command: command)
    }
    try setBody(.json(value))
  }

  /// Whether the byte may be a part of an HTTP token (RFC 9110, section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
