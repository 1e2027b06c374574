import WebServices

/// Describes the requests for cities. `CitiesBusinessController` sends them.
enum CitiesService {
  static func fetchCitiesResource() -> BackendResource<Void, CitiesResponse, KongAuth> {
    let citiesPath = "/v1/cities"
    return BackendResource(path: .api(.core, citiesPath), method: .get)
  }
}
