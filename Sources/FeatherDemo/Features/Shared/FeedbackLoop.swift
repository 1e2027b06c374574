/// Runs a view model as a state machine. `send` an event, and read `states`. An event produces the next state, and a
/// state may start effects that send further events. An app may use a reactive framework instead.
@MainActor
final class FeedbackLoop<State: Sendable, Event: Sendable> {
  private(set) var state: State
  /// All states from the first on. The stream supports one reader.
  let states: AsyncStream<State>

  private let reduce: (State, Event) -> State
  private let feedbacks: [Feedback<State, Event>]
  private let continuation: AsyncStream<State>.Continuation
  /// The running effects by the index of their feedback. A finished effect stays until its state ends, so that it isn't
  /// started again.
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

  /// Applies an event of the user or of an effect.
  func send(_ event: Event) {
    enter(reduce(state, event))
  }

  /// Sets the state. Starts the effects that the new state asks for, and cancels all others.
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
      // The state that asked for the effect has ended.
      guard !Task.isCancelled else { return }
      self?.send(event)
    }
  }
}
