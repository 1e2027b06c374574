import Testing
import WebServices

@testable import FeatherDemo

@MainActor
@Suite struct CitiesViewModelTests {
  private typealias State = CitiesViewModel.State

  private func states(
    _ count: Int, of result: Result<CitiesResponse, WebServiceError>,
    then act: (CitiesViewModel, State) -> Void = { _, _ in }
  ) async -> [State] {
    let viewModel = CitiesViewModel(citiesBusinessController: StubCitiesBusinessController(result: result))
    var states: [State] = []
    for await state in viewModel.states {
      states.append(state)
      if states.count == count { break }
      act(viewModel, state)
    }
    return states
  }

  @Test func viewModelLoadsAtStart() async {
    let states = await states(2, of: .success(.fixture))
    #expect(states == [State(), State(cities: CitiesResponse.fixture.cities, status: .loaded)])
  }

  @Test func failedLoadBecomesAState() async {
    let error = WebServiceError(.timedOut)
    #expect(await states(2, of: .failure(error)) == [State(), State(status: .failed(error))])
  }

  @Test func reloadEventLoadsAgain() async {
    let states = await states(4, of: .success(.fixture)) { viewModel, state in
      if !state.isLoading { viewModel.send(.reload) }
    }
    #expect(states.map(\.status) == [.loading, .loaded, .loading, .loaded])
  }

  @Test func eachEventLeadsToItsNextState() {
    let error = WebServiceError(.noConnection)
    let loaded = State(cities: CitiesResponse.fixture.cities, status: .loaded)
    #expect(CitiesViewModel.reduce(state: State(), event: .didLoad(.fixture)) == loaded)
    #expect(CitiesViewModel.reduce(state: State(), event: .didFail(error)) == State(status: .failed(error)))
    // The cities stay visible during a reload, and after a reload that fails.
    let reloading = CitiesViewModel.reduce(state: loaded, event: .reload)
    #expect(reloading == State(cities: loaded.cities, status: .loading))
    #expect(CitiesViewModel.reduce(state: reloading, event: .didFail(error)).cities == loaded.cities)
  }

  @Test func onlyTheLoadingStateStartsALoad() {
    let feedback = CitiesViewModel.whenLoading(
      citiesBusinessController: StubCitiesBusinessController(result: .success(.fixture)))
    #expect(feedback.predicate(State(status: .loading)))
    #expect(!feedback.predicate(State(status: .loaded)))
    #expect(!feedback.predicate(State(status: .failed(WebServiceError(.timedOut)))))
  }
}
