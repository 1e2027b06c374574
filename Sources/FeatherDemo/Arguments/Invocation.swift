/// The meaning of a command line: run a command, print help, or print the version.
enum Invocation: Equatable, Sendable {
  case run(Arguments)
  case help(Command)
  case version

  /// Parses the words after the program's name.
  init(_ words: [String]) throws(UsageError) {
    // A request for help succeeds even when the rest of the command line is wrong.
    if words.contains(where: { $0 == "--help" || $0 == "-h" }) {
      self = .help(Self.firstCommand(in: words))
    } else if words.first == "help" {
      self = .help(try Self.helpTopic(words.dropFirst()))
    } else if words.contains("--version") {
      self = .version
    } else {
      var reader = Reader(words: words[...], command: Self.firstCommand(in: words))
      self = .run(try reader.read())
    }
  }

  /// The first word that is neither an option nor an option's value.
  private static func firstCommand(in words: [String]) -> Command {
    var isValue = false
    for word in words {
      if !isValue, !word.hasPrefix("-") { return Command(named: word) ?? .signInAndJokes }
      // The command isn't known yet, so the default command decides which options have a value. `--json` counts as a
      // switch.
      isValue = !isValue && Option(rawValue: word)?.valueName(for: .signInAndJokes) != nil
    }
    return .signInAndJokes
  }

  private static func helpTopic(_ words: ArraySlice<String>) throws(UsageError) -> Command {
    guard let word = words.first else { return .signInAndJokes }
    guard let command = Command(named: word) else {
      throw UsageError("there is no command \"\(word)\"; \"FeatherDemo --help\" lists the commands.")
    }
    return command
  }
}

/// Reads the words of a command line from left to right.
private struct Reader {
  var words: ArraySlice<String>
  let command: Command
  private var arguments = Arguments()
  private var hasCommand = false
  /// The operands that the command still needs, in order.
  private var missing: ArraySlice<Operand> = []

  init(words: ArraySlice<String>, command: Command) {
    self.words = words
    self.command = command
    arguments.command = command
    missing = command.operands[...]
  }

  mutating func read() throws(UsageError) -> Arguments {
    while let word = words.popFirst() {
      if word.hasPrefix("-") {
        try readOption(word)
      } else {
        try readWord(word)
      }
    }
    if let operand = missing.first {
      throw UsageError("\(operand.rawValue) is missing.", command: command)
    }
    return arguments
  }

  private mutating func readWord(_ word: String) throws(UsageError) {
    guard hasCommand else { return try readCommand(word) }
    guard let operand = missing.popFirst() else {
      throw UsageError("\"\(word)\" is one word too many.", command: command)
    }
    try arguments.apply(operand, value: word)
  }

  private mutating func readCommand(_ word: String) throws(UsageError) {
    guard Command(named: word) != nil else {
      throw UsageError("there is no command \"\(word)\"; \"FeatherDemo --help\" lists the commands.")
    }
    hasCommand = true
  }

  /// Accepts `--option value` and `--option=value`. Error messages never repeat a value without an option, because the
  /// value may be a secret.
  private mutating func readOption(_ word: String) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? word
    let attached = parts.count > 1 ? String(parts[1]) : nil
    guard name != "--password" else {
      throw UsageError(
        "there is no option --password, because everybody on this machine can read arguments; set"
          + " FEATHER_PASSWORD, or type the password at the prompt.",
        command: command)
    }
    guard let option = Option(rawValue: name) else {
      throw UsageError("there is no option \(name).", command: command)
    }
    guard option.applies(to: command) else {
      throw UsageError("\"\(command.invocation)\" has no option \(name).", command: command)
    }
    try arguments.apply(option, value: try value(of: option, attached: attached))
  }

  private mutating func value(of option: Option, attached: String?) throws(UsageError) -> String {
    guard let valueName = option.valueName(for: command) else {
      guard attached == nil else { throw UsageError("\(option.rawValue) takes no value.", command: command) }
      return ""
    }
    if let attached { return attached }
    // A negative number is read as a value, so that the user reads "out of range" rather than "needs a value".
    guard let next = words.first, !next.hasPrefix("-") || Int(next) != nil else {
      throw UsageError("\(option.rawValue) needs a value: \(option.rawValue) \(valueName).", command: command)
    }
    return words.removeFirst()
  }
}
