/// The meaning of a command line: run a command, print help, or print the version.
enum Invocation: Equatable, Sendable {
  case run(Arguments)
  case help(Command)
  case version

  /// Parses the words after the program's name. Options may stand anywhere.
  init(_ words: [String]) throws(UsageError) {
    let line = Line(words)
    // A request for help succeeds even if the rest of the command line is wrong.
    if line.has("--help", "-h") {
      self = .help(line.likelyCommand)
    } else if line.plain.first == "help" {
      self = .help(try line.plain.dropFirst().first.map(Command.init(word:)) ?? .signInAndJokes)
    } else if line.has("--version") {
      self = .version
    } else if line.has("--password") {
      throw UsageError(
        "there is no option --password: everybody on this machine can read arguments. Set FEATHER_PASSWORD.",
        line.likelyCommand)
    } else {
      let command = try line.command
      do throws(UsageError) {
        self = .run(try line.arguments(for: command))
      } catch {
        throw UsageError(error.message, command)
      }
    }
  }
}

/// The words of a command line, sorted into options and plain words.
private struct Line {
  var plain: [String] = []
  /// An option as it was typed. The value is `nil` if none was given.
  var options: [(name: String, value: String?)] = []

  init(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        plain.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      var value = parts.dropFirst().first
      let takesValue = Parameter.allOptions.contains { $0.name == word && $0.value != nil }
      // A negative number is read as a value, so that the user reads "out of range" rather than "needs a value".
      if takesValue, let next = rest.first, !next.hasPrefix("-") || Int(next) != nil { value = rest.removeFirst() }
      options.append((parts[0], value))
    }
  }

  var command: Command {
    get throws(UsageError) { try plain.first.map(Command.init(word:)) ?? .signInAndJokes }
  }

  /// The command, or the default command if there is no such command.
  var likelyCommand: Command { (try? command) ?? .signInAndJokes }

  func has(_ names: String...) -> Bool { options.contains { names.contains($0.name) } }

  func arguments(for command: Command) throws(UsageError) -> Arguments {
    var arguments = Arguments(command: command)
    for option in options { try set(option, of: command, in: &arguments) }
    let operands = plain.dropFirst()
    for (parameter, word) in zip(command.facts.operands, operands) { try parameter.set(&arguments, word) }
    if let missing = command.facts.operands.dropFirst(operands.count).first {
      throw UsageError("\(missing.name) is missing.")
    }
    if let extra = operands.dropFirst(command.facts.operands.count).first {
      throw UsageError("\"\(extra)\" is one word too many.")
    }
    return arguments
  }

  private func set(
    _ option: (name: String, value: String?), of command: Command, in arguments: inout Arguments
  ) throws(UsageError) {
    guard let parameter = command.facts.options.first(where: { $0.name == option.name }) else {
      // The message doesn't repeat the value, which may be a secret.
      throw UsageError("\"\(command.invocation)\" has no option \(option.name).")
    }
    switch (parameter.value, option.value) {
    case (nil, nil): try parameter.set(&arguments, "")
    case (_?, let value?): try parameter.set(&arguments, value)
    case (nil, _?): throw UsageError("\(option.name) takes no value.")
    case (let name?, nil): throw UsageError("\(option.name) needs a value: \(option.name) \(name).")
    }
  }
}
