import WebServices

/// Signs in and shows the cities: typed resources, a business controller and a view model.
@MainActor
enum CitiesCommand {
  static func run(_ context: CommandContext) async throws {
    _ = try await JokesCommand.authenticate(context)
    let environment = BackendEnvironment("demo", [.core: context.wiring.baseURL.absoluteString])
    let session = AuthenticatedAccessor<KongAuth>(service: JsonWebService.shared, environment: environment)
    let viewModel = CitiesViewModel(citiesBusinessController: CitiesBusinessController(accessible: session)) { state in
      if state.status == .loading { context.begin("fetching cities") } else { context.end() }
    }
    await viewModel.load()
    if case .failed(let error) = viewModel.state.status { throw context.failure("fetching cities", error) }
    let cities = viewModel.state.cities
    try context.show(CitiesResponse(cities: cities), cities.map { Wording.oneLine($0.name) })
  }
}

extension DemoBackend {
  func addCitiesRoutes() {
    let names = ["London", "Bath", "Lisbon", "Reykjavík", "Kraków", "Taipei"]
    route(.get, "/v1/cities") { backend, request in
      guard backend.user(of: request) != nil else { return Self.refusal(401, "Cities need a valid bearer token.") }
      return Self.success(CitiesResponse(cities: names.map(City.init)))
    }
  }
}
