import WebServices

@testable import FeatherDemo

/// A state and the screen to expect.
struct CitiesExpectations: Sendable {
  let state: CitiesViewModel.State
  let screen: CitiesRenderer.Screen

  static let all = [
    CitiesExpectations(state: .init(), screen: .init(activity: "Fetching cities")),
    CitiesExpectations(
      state: .init(cities: CitiesResponse.fixture.cities, status: .loading),
      screen: .init(activity: "Fetching cities")),
    CitiesExpectations(
      state: .init(cities: CitiesResponse.fixture.cities, status: .loaded),
      screen: .init(lines: ["London", "Bath", "2 cities."])),
    CitiesExpectations(
      state: .init(cities: [City(name: "St.\r\nIves")], status: .loaded),
      screen: .init(lines: ["St. Ives", "1 city."])),
    CitiesExpectations(state: .init(status: .loaded), screen: .init(lines: ["The service knows no cities."])),
    CitiesExpectations(
      state: .init(status: .failed(WebServiceError(.noConnection))),
      screen: .init(lines: ["There is no network connection. Check it and try again."])),
  ]
}
