import WebServices

/// Fetches cities for `CitiesViewModel`. Tests inject a stub.
protocol CitiesBusinessControllerProtocol: Sendable {
  func fetch() async throws(WebServiceError) -> CitiesResponse
}

/// Fetches the cities from the backend.
struct CitiesBusinessController: CitiesBusinessControllerProtocol {
  private let accessible: any KongAccessible

  init(accessible: any KongAccessible) {
    self.accessible = accessible
  }

  func fetch() async throws(WebServiceError) -> CitiesResponse {
    let resource = CitiesService.fetchCitiesResource()
    return try await accessible.access(resource)
  }
}
