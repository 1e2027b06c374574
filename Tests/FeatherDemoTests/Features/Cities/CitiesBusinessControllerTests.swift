import Foundation
import Testing
import WebServices
import WebServicesTesting

@testable import FeatherDemo

@Suite struct CitiesBusinessControllerTests {
  @Test func fetchReturnsDecodedCities() async throws {
    let controller = CitiesBusinessController(accessible: StubKongAccessible(json: CitiesResponse.cannedResponse))
    #expect(try await controller.fetch() == .fixture)
  }

  @Test func undecodableResponseThrowsUndecodableBody() async {
    let controller = CitiesBusinessController(accessible: StubKongAccessible(json: "[]"))
    let error = await #expect(throws: WebServiceError.self) { try await controller.fetch() }
    #expect(error?.kind == .undecodableBody)
  }

  @Test func backendAcceptsTokenThatItIssued() async throws {
    let backend = try DemoBackend()
    let manager = BasicAuthManager()
    let service = JsonWebService(
      tokenManager: manager, configuration: WebServiceConfiguration(baseURL: backend.baseURL))
    let controller = CitiesBusinessController(
      accessible: AuthenticatedAccessor<KongAuth>(service: service, environment: .demo(at: backend.baseURL)))
    manager.update(apiToken: "wrong", secondsRemaining: 600)
    let error = await #expect(throws: WebServiceError.self) { try await controller.fetch() }
    #expect([WebServiceError.Kind.statusCode(401), .token].contains(error?.kind))
    let info = try await service.sendRequest(
      RequestDataForAuthenticate(userId: "ann", password: DemoAccount.password), as: AuthenticationInfo.self)
    manager.update(apiToken: info.apiToken, secondsRemaining: 600)
    #expect(try await controller.fetch() == DemoBackend.cities)
    backend.stop()
  }
}
