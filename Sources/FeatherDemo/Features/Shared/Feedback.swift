/// What a view model does by itself while its state calls for it: something that takes time and ends with an event.
struct Feedback<State: Sendable, Event: Sendable>: Sendable {
  /// Whether the state calls for it.
  let predicate: @Sendable (State) -> Bool
  /// What is done. It is cancelled when the state no longer calls for it, and its event is then dropped.
  let effect: @Sendable (State) async -> Event

  init(predicate: @escaping @Sendable (State) -> Bool, effect: @escaping @Sendable (State) async -> Event) {
    self.predicate = predicate
    self.effect = effect
  }
}
