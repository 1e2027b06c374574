/// Formats a state of the view model for the terminal.
enum CitiesRenderer {
  /// The text of the whole screen.
  struct Screen: Equatable, Sendable {
    /// The spinner's text; `nil` if nothing is in progress.
    var activity: String?
    var lines: [String] = []
  }

  static func screen(for state: CitiesViewModel.State) -> Screen {
    switch state.status {
    case .loading:
      Screen(activity: "Fetching cities")
    case .loaded where state.cities.isEmpty:
      Screen(lines: ["The service knows no cities."])
    case .loaded:
      Screen(lines: state.cities.map { Wording.oneLine($0.name) } + [total(state.cities.count)])
    case .failed(let error):
      Screen(lines: [error.friendlyDescription])
    }
  }

  private static func total(_ count: Int) -> String {
    count == 1 ? "1 city." : "\(count) cities."
  }
}
