extension DemoBackend {
  static let cities = CitiesResponse(
    cities: ["London", "Bath", "Lisbon", "Reykjavík", "Kraków", "Taipei"].map(City.init))

  func addCitiesRoutes() {
    route(.get, "/v1/cities") { backend, request in
      guard backend.isSignedIn(request) else { return Self.refusal(401, "Cities need a valid bearer token.") }
      return Self.success(Self.cities)
    }
  }
}
