import WebServices

/// The texts that `--help` and `--version` print.
enum HelpText {
  static let version = "FeatherDemo \(Version.current)"
  /// The column at which help text is wrapped. Every terminal is at least this wide.
  static let width = 80

  static let server = "Without --base-url the demo starts its own server in this process, on a free port."
  static let addresses =
    "URL is an absolute address or a path on the demo's server: jokes/7, photos/1, events?count=4 or files/5M."
  static let account = """
    Without --user the user "\(DemoAccount.user)" signs in. The password comes from the environment variable \
    FEATHER_PASSWORD, and is "\(DemoAccount.password)" without one, but not for --user on another server. It is never an \
    argument.
    """

  /// The list of all commands.
  static var commands: String {
    let lines = Command.allCases.filter { !$0.rawValue.isEmpty }.map { entry($0.rawValue, $0.facts.summary, 10) }
    return (["Commands (\"FeatherDemo COMMAND --help\" explains one):"] + lines).joined(separator: "\n")
  }

  static func text(for command: Command) -> String {
    let facts = command.facts
    let words = facts.operands.map(\.name) + ["[options]"]
    let usage = "Usage: \(command.rawValue.isEmpty ? "FeatherDemo [COMMAND]" : command.invocation) "
    let help = [("--help, -h", "prints this help"), ("--version", "prints the version")]
    let entries = facts.options.map { ($0.name + ($0.value.map { " \($0)" } ?? ""), $0.meaning) } + help
    let column = entries.map(\.0.count).max() ?? 0
    let options = ["Options:"] + entries.map { entry($0, $1, column) }
    let paragraphs = [usage + words.joined(separator: " "), wrapped(facts.summary)]
    let notes = facts.notes.map { $0.contains("\n  ") ? $0 : wrapped($0) }
    let status = "Exit status: 0 for success, 1 for a failed request, 64 for wrong usage, 130 for an interruption."
    return (paragraphs + notes + [options.joined(separator: "\n"), wrapped(status)]).joined(separator: "\n\n")
  }

  /// A line of a list, whose meanings begin in one column.
  private static func entry(_ name: String, _ meaning: String, _ column: Int) -> String {
    let lead = "  " + name + String(repeating: " ", count: max(0, column - name.count) + 2)
    return wrapped(meaning, first: lead, indent: String(repeating: " ", count: lead.count))
  }

  /// Wraps a text between words.
  private static func wrapped(_ text: String, first: String = "", indent: String = "") -> String {
    var lines: [String] = []
    var line = first
    for word in text.split(separator: " ") {
      if line.count + word.count >= width {
        lines.append(line)
        line = indent
      }
      line += line.isEmpty || line.hasSuffix(" ") ? word : " " + word
    }
    return (lines + [line]).joined(separator: "\n")
  }
}
