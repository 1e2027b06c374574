extension Subject {
  /// All parsers that outside bytes reach through the library's public API.
  package static let all: [Subject] =
    streams + json + fields + requests + descriptions + files + transfers
}
