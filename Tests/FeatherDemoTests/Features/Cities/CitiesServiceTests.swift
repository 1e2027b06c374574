import Foundation
import Testing
import WebServices

@testable import FeatherDemo

@Suite struct CitiesServiceTests {
  @Test func citiesRequestHasABearerToken() throws {
    let resource = CitiesService.fetchCitiesResource()
    #expect(resource.path == .api(.core, "/v1/cities"))
    #expect(resource.method == .get)
    #expect(resource.headers.isEmpty && resource.queryItems.isEmpty)
    #expect(KongAuth.authorization == .bearer)
  }

  @Test(arguments: ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"])
  func environmentResolvesThePathToAURL(_ base: String) throws {
    let environment = BackendEnvironment.demo(at: try #require(URL(string: base)))
    let url = try environment.url(of: CitiesService.fetchCitiesResource().path)
    #expect(url.absoluteString == "http://127.0.0.1:8080/v1/cities")
  }
}
