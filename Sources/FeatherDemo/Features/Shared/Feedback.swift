/// An asynchronous effect of a view model, such as a request. `FeedbackLoop` runs the effect while `predicate` accepts
/// the state, and sends the resulting event to the view model.
struct Feedback<State: Sendable, Event: Sendable>: Sendable {
  /// Whether the effect runs in this state.
  let predicate: @Sendable (State) -> Bool
  /// The effect. It is cancelled once the state no longer matches, and its event is then dropped.
  let effect: @Sendable (State) async -> Event

  init(predicate: @escaping @Sendable (State) -> Bool, effect: @escaping @Sendable (State) async -> Event) {
    self.predicate = predicate
    self.effect = effect
  }
}
