extension Subject {
  /// Every parser that bytes from outside reach through the library's public API.
  package static let all: [Subject] =
    streams + json + fields + requests + descriptions + files + exchanges
}
