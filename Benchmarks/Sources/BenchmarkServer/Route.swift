/// The server's reaction to a request.
enum Route: Equatable, Sendable {
  case jokes
  case manyJokes
  /// Responds with the jokes after this many milliseconds.
  case delayed(milliseconds: Int64)
  /// Responds with the jokes, but not before this time in milliseconds since 1970.
  case held(until: Int64)
  case download
  /// Counts the uploaded bytes and responds with their number.
  case upload
  /// Responds with the number of connections.
  case statistics
  case unknown

  init(target: String) {
    let parts = target.split(separator: "/")
    switch (parts.first, parts.dropFirst().first.flatMap { Int64($0) }) {
    case ("jokes", nil): self = .jokes
    case ("jokes-64k", nil): self = .manyJokes
    case ("delay", let milliseconds?): self = .delayed(milliseconds: milliseconds)
    case ("until", let time?): self = .held(until: time)
    case ("download", nil): self = .download
    case ("upload", nil): self = .upload
    case ("statistics", nil): self = .statistics
    default: self = .unknown
    }
  }
}
