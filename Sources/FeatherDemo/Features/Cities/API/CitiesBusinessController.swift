import WebServices

/// What a view model gets cities from; its tests give it a stub.
protocol CitiesBusinessControllerProtocol: Sendable {
  func fetch() async throws(WebServiceError) -> CitiesResponse
}

/// Gets the cities from the backend.
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
