import WebServices

/// The state machine of the cities screen. Read `states` to draw the screen, and `send` the user's events.
@MainActor
final class CitiesViewModel {
  private let loop: FeedbackLoop<State, Event>

  /// Starts loading.
  init(citiesBusinessController: any CitiesBusinessControllerProtocol) {
    loop = FeedbackLoop(
      initial: State(), reduce: Self.reduce,
      feedbacks: [Self.whenLoading(citiesBusinessController: citiesBusinessController)])
  }

  /// All states from the first on. The stream supports one reader.
  var states: AsyncStream<State> { loop.states }

  func send(_ event: Event) {
    loop.send(event)
  }
}

extension CitiesViewModel {
  struct State: Equatable, Sendable {
    var cities: [City] = []
    var status = Status.loading

    var isLoading: Bool { status == .loading }
  }

  /// Valid transitions: loading to loaded or failed, and each of those to loading.
  enum Status: Equatable, Sendable {
    case loading
    case loaded
    case failed(WebServiceError)
  }

  /// The events of the user and of the effect.
  enum Event: Equatable, Sendable {
    case didLoad(CitiesResponse)
    case didFail(WebServiceError)
    /// The user asks for a reload.
    case reload
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

  /// Fetches the cities as long as the state is loading.
  nonisolated static func whenLoading(
    citiesBusinessController: any CitiesBusinessControllerProtocol
  ) -> Feedback<State, Event> {
    Feedback(predicate: { $0.isLoading }) { _ in
      do throws(WebServiceError) {
        return .didLoad(try await citiesBusinessController.fetch())
      } catch {
        return .didFail(error)
      }
    }
  }
}
