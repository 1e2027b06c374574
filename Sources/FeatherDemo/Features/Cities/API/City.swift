struct City: Codable, Equatable, Sendable {
  let name: String
}
