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

  /// Delivers the same JSON for every resource.
  private struct StubAccessible: KongAccessible {
    typealias Auth = KongAuth
    let json: String

    func access<Request, Response>(
      _ resource: BackendResource<Request, Response, KongAuth>, with request: Request, callbackQueue: DispatchQueue,
      completion: @escaping @Sendable (Result<Response, WebServiceError>) -> Void
    ) -> WebServiceTask {
      callbackQueue.async { completion(resource.parser.result(ofJSON: json)) }
      return WebServiceTask()
    }
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
    expectEqual(try await CitiesBusinessController(accessible: StubAccessible(json: json)).fetch(), Self.cities)
    for json in ["[]", "{}", #"{"cities": [{}]}"#] {
      let controller = CitiesBusinessController(accessible: StubAccessible(json: json))
      let error = await thrown { try await controller.fetch() }
      expectEqual(error?.kind, .undecodableBody)
    }
  }
}
