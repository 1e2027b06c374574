@testable import WebServicesTestSupport

@testable import FeatherDemo
@testable import struct FeatherDemo.City

@MainActor
@Suite struct CitiesTests {
  private static let cities = CitiesResponse(cities: [City(name: "London"), City(name: "Bath")])

  /// Delivers the result that the test sets.
  private struct StubBusinessController: CitiesBusinessControllerProtocol {
    let result: Result<CitiesResponse, WebServiceError>

    func fetch() async throws(WebServiceError) -> CitiesResponse { try result.get() }
  }

  private func states(of result: Result<CitiesResponse, WebServiceError>) async -> [CitiesViewModel.State] {
    var states: [CitiesViewModel.State] = []
    await CitiesViewModel(citiesBusinessController: StubBusinessController(result: result)) { states.append($0) }.load()
    return states
  }

  @Test func viewModelShowsLoadingAndThenTheResult() async {
    let error = WebServiceError(.timedOut)
    expectEqual(await states(of: .success(Self.cities)).map(\.status), [.loading, .loaded])
    expectEqual(await states(of: .success(Self.cities)).last?.cities, Self.cities.cities)
    expectEqual(await states(of: .failure(error)).map(\.status), [.loading, .failed(error)])
  }

  @Test func citiesStayVisibleWhileAReloadFails() {
    let loaded = CitiesViewModel.State(cities: Self.cities.cities, status: .loaded)
    let reloading = CitiesViewModel.reduce(state: loaded, event: .reload)
    let failed = CitiesViewModel.reduce(state: reloading, event: .didFail(WebServiceError(.timedOut)))
    #expect([reloading, failed].allSatisfy { $0.cities == loaded.cities })
  }

  @Test func businessControllerReturnsDecodedCitiesOrTheError() async throws {
    let json = #"{"cities": [{"name": "London", "country": "England"}, {"name": "Bath"}], "total": 2}"#
    let session = MockURLSession()
    session.script(.get, "/v1/cities", [.json(json), .json(#"{"cities": [{}]}"#)])
    let service = JsonWebService(
      session: session, tokenManager: FakeTokenManager(token: "token"), reachability: FakeReachability(),
      configuration: WebServiceConfiguration())
    let environment = BackendEnvironment("test", [.core: "https://core.example.com"])
    let kong = AuthenticatedAccessor<KongAuth>(service: service, environment: environment)
    let controller = CitiesBusinessController(accessible: kong)
    expectEqual(try await controller.fetch(), Self.cities)
    expectEqual(await thrown { try await controller.fetch() }?.kind, .undecodableBody)
  }
}
