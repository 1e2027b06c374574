/// What the server does with a request.
enum Route: Equatable, Sendable {
  case jokes
  case manyJokes
  /// The jokes, after so many milliseconds.
  case delayed(milliseconds: Int64)
  /// The jokes, but not before this time, in milliseconds since 1970.
  case held(until: Int64)
  case download
  /// Takes what is sent and tells how much it was.
  case upload
  /// How many connections there have been.
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
