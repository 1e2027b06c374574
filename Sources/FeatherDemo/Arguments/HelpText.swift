/// The texts that `--help` and `--version` print.
enum HelpText {
  static let version = "FeatherDemo 0.1.0"

  /// The column at which help text is wrapped. Every terminal is at least this wide.
  static let width = 80

  static func text(for command: Command) -> String {
    let paragraphs = [usage(of: command), summary(of: command)] + details(of: command)
    return (paragraphs.map(laidOut) + [options(of: command)]).joined(separator: "\n\n")
  }

  /// Wraps a paragraph. A list keeps its lines, because each of them is an entry.
  private static func laidOut(_ paragraph: String) -> String {
    guard !paragraph.contains("\n  ") else { return paragraph }
    return Wording.wrapped(paragraph, to: width).joined(separator: "\n")
  }

  private static func usage(of command: Command) -> String {
    let words = command.operands.map(\.rawValue) + ["[options]"]
    let invocation = command == .signInAndJokes ? "FeatherDemo [COMMAND]" : command.invocation
    return "Usage: \(invocation) " + words.joined(separator: " ")
  }

  private static func options(of command: Command) -> String {
    let options = Option.allCases.filter { $0.applies(to: command) }.map { option in
      let words = [option.rawValue, option.valueName(for: command)].compactMap { $0 }
      return (words.joined(separator: " "), meaning(of: option, command))
    }
    let lines = options + [("--help, -h", "prints this help"), ("--version", "prints the version")]
    let width = max(14, lines.map(\.0.count).max() ?? 0)
    return (["Options:"] + lines.map { line($0, $1, width: width) }).joined(separator: "\n")
  }

  private static func line(_ option: String, _ meaning: String, width: Int) -> String {
    let lead = "  \(option)" + String(repeating: " ", count: width - option.count + 2)
    let lines = Wording.wrapped(meaning, to: Self.width - lead.count)
    return lead + lines.joined(separator: "\n" + String(repeating: " ", count: lead.count))
  }

  private static func meaning(of option: Option, _ command: Command) -> String {
    switch option {
    case .count:
      let range = Arguments.countRange
      let what = command == .watch ? "events" : "jokes"
      return "how many \(what), \(range.lowerBound) to \(range.upperBound); 10 by default"
    case .pageSize:
      let range = Arguments.pageSizeRange
      return "how many items a page has, \(range.lowerBound) to \(range.upperBound); 10 by default"
    case .all: return "loads all items before it prints them"
    case .header: return "a header field; you can repeat this option"
    case .data: return "the body: text, sent as a form unless a header field says otherwise, or a file"
    case .output: return "writes the response's content to a file, unchanged"
    case .curl: return "prints the request as a cURL line, without secrets, and sends nothing"
    case .to: return "the URL to upload to; by default the demo's server"
    case .port: return "the port, 0 to 65535; by default the system chooses one"
    case .baseURL: return "the address of the server, such as http://127.0.0.1:8080"
    case .user: return "the user to sign in"
    case .json: return command == .request ? "the body, as JSON" : "prints JSON on standard output"
    case .verbose:
      guard command != .serve, command != .account else {
        return "shows each request on standard error, without secrets"
      }
      return "draws a timeline of each request on standard error, without secrets"
    }
  }
}
