/// The response to a request for cities.
struct CitiesResponse: Codable, Equatable, Sendable {
  let cities: [City]
}

struct City: Codable, Equatable, Sendable {
  let name: String
}
