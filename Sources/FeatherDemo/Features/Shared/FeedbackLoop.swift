/// Takes a view model from state to state: an event makes the next one, and each state may start effects, which bring
/// further events. It stands in for the reactive framework that an app may have for this.
@MainActor
final class FeedbackLoop<State: Sendable, Event: Sendable> {
  private(set) var state: State
  /// Every state, the first one included, to be read once.
  let states: AsyncStream<State>

  private let reduce: (State, Event) -> State
  private let feedbacks: [Feedback<State, Event>]
  private let continuation: AsyncStream<State>.Continuation
  /// The effects that the state calls for, by the place of their feedback. One that has ended stays until the state no
  /// longer calls for it, so that it isn't started again and again.
  private var effects: [Int: Task<Void, Never>] = [:]

  init(initial: State, reduce: @escaping (State, Event) -> State, feedbacks: [Feedback<State, Event>]) {
    state = initial
    self.reduce = reduce
    self.feedbacks = feedbacks
    (states, continuation) = AsyncStream.makeStream()
    enter(initial)
  }

  deinit {
    effects.values.forEach { $0.cancel() }
    continuation.finish()
  }

  /// Takes an event: the user's, or an effect's.
  func send(_ event: Event) {
    enter(reduce(state, event))
  }

  private func enter(_ next: State) {
    state = next
    continuation.yield(next)
    for (place, feedback) in feedbacks.enumerated() {
      let isCalledFor = feedback.predicate(next)
      if isCalledFor, effects[place] == nil {
        effects[place] = start(feedback, in: next)
      } else if !isCalledFor {
        effects.removeValue(forKey: place)?.cancel()
      }
    }
  }

  private func start(_ feedback: Feedback<State, Event>, in state: State) -> Task<Void, Never> {
    Task { [weak self] in
      let event = await feedback.effect(state)
      guard !Task.isCancelled else { return }
      self?.send(event)
    }
  }
}
