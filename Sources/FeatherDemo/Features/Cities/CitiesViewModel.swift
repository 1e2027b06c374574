import WebServices

/// The state machine of the cities screen. Call `load()`, and draw `state` whenever it changes.
@MainActor
final class CitiesViewModel {
  struct State: Equatable, Sendable {
    var cities: [City] = []
    var status = Status.loading
  }

  /// Valid transitions: loading to loaded or failed, and each of those to loading.
  enum Status: Equatable, Sendable {
    case loading
    case loaded
    case failed(WebServiceError)
  }

  enum Event: Equatable, Sendable {
    case didLoad(CitiesResponse)
    case didFail(WebServiceError)
    /// The user asks for a reload.
    case reload
  }

  private let citiesBusinessController: any CitiesBusinessControllerProtocol
  private let draw: (State) -> Void
  private(set) var state = State()

  /// - Parameter draw: draws a state; an app's view controller would do this.
  init(
    citiesBusinessController: any CitiesBusinessControllerProtocol, draw: @escaping (State) -> Void = { _ in }
  ) {
    self.citiesBusinessController = citiesBusinessController
    self.draw = draw
  }

  /// Fetches the cities.
  func load() async {
    send(.reload)
    do throws(WebServiceError) {
      send(.didLoad(try await citiesBusinessController.fetch()))
    } catch {
      send(.didFail(error))
    }
  }

  private func send(_ event: Event) {
    state = Self.reduce(state: state, event: event)
    draw(state)
  }

  /// The next state after an event. Pure.
  nonisolated static func reduce(state: State, event: Event) -> State {
    var next = state
    switch event {
    case .didLoad(let citiesResponse):
      next.cities = citiesResponse.cities
      next.status = .loaded
    case .didFail(let error):
      next.status = .failed(error)
    case .reload:
      next.status = .loading
    }
    return next
  }
}
