import WebServices

/// Shows the cities: prints each state of the view model until loading succeeds or fails. In an app a view controller
/// does this.
@MainActor
final class CitiesFlowController {
  private let viewModel: CitiesViewModel
  private let context: CommandContext

  init(viewModel: CitiesViewModel, context: CommandContext) {
    self.viewModel = viewModel
    self.context = context
  }

  func show() async throws {
    defer { context.spinner.stop() }
    for await state in viewModel.states {
      let screen = CitiesRenderer.screen(for: state)
      context.spinner.stop()
      if let activity = screen.activity { context.spinner.start(activity) }
      switch state.status {
      case .loading: continue
      case .loaded: return try print(state, screen)
      case .failed(let error): throw context.failure("fetching cities", error)
      }
    }
  }

  private func print(_ state: CitiesViewModel.State, _ screen: CitiesRenderer.Screen) throws {
    if context.arguments.printsJSON {
      Console.data(try JSONText.of(CitiesResponse(cities: state.cities)))
    } else {
      screen.lines.forEach(Console.result)
    }
  }
}
