/// An id of the server, which sends it as a number or a string.
struct ServerID: Codable, Equatable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  let description: String

  init(stringLiteral id: String) { description = id }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    description = try (try? String(container.decode(Int64.self))) ?? container.decode(String.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
