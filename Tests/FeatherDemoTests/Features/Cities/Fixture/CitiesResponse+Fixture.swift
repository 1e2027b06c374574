@testable import FeatherDemo

extension CitiesResponse {
  static let fixture = CitiesResponse(cities: [City(name: "London"), City(name: "Bath")])

  /// The backend's response, with a member that the app doesn't know.
  static let cannedResponse = """
    {
      "cities": [
        { "name": "London", "country": "England" },
        { "name": "Bath" }
      ],
      "total": 2
    }
    """
}
