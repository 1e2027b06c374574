import Foundation

/// What the command line asks for, checked.
struct Arguments: Equatable, Sendable {
  static let countRange = 1...100

  var command = Command.signInAndJokes
  /// How many jokes.
  var count = 10
  /// Where to serve; 0 stands for a port of the system's choice.
  var port: UInt16 = 0
  /// The server; `nil` stands for the demo's own.
  var baseURL: URL?
  /// Who signs in; `nil` stands for the demo account.
  var user: String?
  var isVerbose = false
  var printsJSON = false

  mutating func apply(_ option: Option, value: String) throws(UsageError) {
    switch option {
    case .count: count = try Self.number(value, of: option, in: Self.countRange, for: command)
    case .port: port = UInt16(try Self.number(value, of: option, in: 0...65_535, for: command))
    case .baseURL: baseURL = try Self.url(value, for: command)
    case .user: user = try Self.user(value, for: command)
    case .json: printsJSON = true
    case .verbose: isVerbose = true
    }
  }

  private static func number(
    _ text: String, of option: Option, in range: ClosedRange<Int>, for command: Command
  ) throws(UsageError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        "\(option.rawValue) takes a whole number from \(range.lowerBound) to \(range.upperBound),"
          + " not \"\(text)\".",
        command: command)
    }
    return number
  }

  private static func user(_ name: String, for command: Command) throws(UsageError) -> String {
    guard !name.isEmpty else { throw UsageError("--user takes a name that isn't empty.", command: command) }
    return name
  }

  /// What is refused here isn't repeated: it may hold a password.
  private static func url(_ text: String, for command: Command) throws(UsageError) -> URL {
    guard let components = URLComponents(string: text), let url = components.url,
      ["http", "https"].contains(components.scheme?.lowercased()), components.host?.isEmpty == false,
      (1...65_535).contains(components.port ?? 80)
    else {
      throw UsageError(
        "--base-url takes an address that begins with http:// or https:// and names a host.", command: command
      )
    }
    guard components.user == nil, components.password == nil else {
      throw UsageError(
        "--base-url takes no user and no password: use --user and FEATHER_PASSWORD.", command: command)
    }
    return url
  }
}
