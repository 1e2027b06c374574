@testable import WebServicesTestSupport

extension Backend {
  static let core = Backend("core")
  static let clinical = Backend("clinical")
}

extension BackendEnvironment {
  static let production = BackendEnvironment(
    "production", [.core: "https://core.example.com", .clinical: "https://example.com/clinical/"])
  static let staging = BackendEnvironment("staging", [.core: "https://core.staging.example.com:8443/base"])
}

/// The authorization of the resources behind the sign-in.
enum KongAuth: BackendAuth {
  static let authorization = WebServiceAuthorizationType.bearer
}

protocol KongAccessible: AuthenticatedAccessible where Auth == KongAuth {}
extension AuthenticatedAccessor: KongAccessible where Auth == KongAuth {}

struct CitiesResponse: Codable, Hashable, Sendable {
  var cities: [City]

  static let two = CitiesResponse(cities: [City(name: "London"), City(name: "Bath")])
  static let twoAsJSON = #"{"cities": [{"name": "London"}, {"name": "Bath"}]}"#
}

/// The resources of an app, as its author declares them.
enum CitiesService {
  static func fetchCitiesResource() -> BackendResource<Void, CitiesResponse, KongAuth> {
    let citiesPath = "/v1/cities"
    return BackendResource(path: .api(.core, citiesPath), method: .get)
  }

  static func fetchPublicCitiesResource() -> BackendResource<Void, CitiesResponse, NoAuth> {
    BackendResource(path: .api(.core, "/v1/public/cities"), method: .get)
  }

  static func addCityResource() -> BackendResource<City, City, KongAuth> {
    BackendResource(path: .api(.core, "/v1/cities"), method: .post, headers: ["X-Reason": "new"])
  }

  static func removeCitiesResource() -> BackendResource<Void, Void, KongAuth> {
    BackendResource(path: .api(.core, "/v1/cities"), method: .delete)
  }
}
