import Foundation
import Testing
import WebServices
import WebServicesTesting

/// The samples of the article for those who know another library.
@Suite struct ComingFromOthersTests {
  typealias Joke = ReadmeTests.Joke

  private struct Draft: Encodable, Sendable {
    let text = "A horse walks into a bar."
  }

  private struct Photo: Decodable, Sendable {
    var id: Int
  }

  private struct RequestDataForRenewToken: WebServiceRequestData {
    var apiToken: String
    let path = "renew"
  }

  // sample: describeAPI

  private static let baseURL = URL(string: "https://api.example.com")
  private var configuration: WebServiceConfiguration { WebServiceConfiguration(baseURL: Self.baseURL) }

  private func stubbed() -> (service: JsonWebService, session: MockURLSession) {
    // sample: stubAServer
    return (service, session)
  }

  @Test func modelIsReceivedAndSent() async throws {
    let (service, session) = stubbed()
    // sample: getAModel
    #expect(joke.text == "A horse walks into a bar.")
    session.script(.get, "/jokes/7", .json(#"{"text": "A horse walks into a bar."}"#))
    #expect(try await service.sendRequest(JokeByID(id: 7), as: Joke.self).text == joke.text)
    session.script(.post, "/jokes", .json(#"{"text": "saved"}"#, status: 201))
    let draft = Draft()
    // sample: sendJSON
    #expect(saved.text == "saved")
    #expect(session.requests.last?.value(forHTTPHeaderField: "Content-Type") == "application/json")
  }

  @Test func photoIsUploadedWithProgress() async throws {
    let (service, session) = stubbed()
    session.script(.post, "/photos", .json(#"{"id": 1}"#, status: 201))
    let photo = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).png")
    try Data("png".utf8).write(to: photo)
    defer { try? FileManager.default.removeItem(at: photo) }
    let show: @Sendable (Double) -> Void = { _ in }
    // sample: uploadWithProgress
    #expect(stored.id == 1)
  }

  @Test func fileIsDownloaded() async throws {
    let (service, session) = stubbed()
    session.script(.get, "/films/7", .text("film"))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mp4")
    defer { try? FileManager.default.removeItem(at: file) }
    // sample: downloadAFile
    #expect(try String(contentsOf: file, encoding: .utf8) == "film")
  }

  @Test func settingsReplaceInterceptors() async throws {
    var configuration = configuration
    // sample: retryThrice
    // sample: watchRequests
    // sample: pinAndRedirects
    #expect(configuration.retry.attemptLimit == 3)
    #expect(configuration.redirects == .doNotFollow)
    #expect(configuration.monitors.count == 1)
    #expect(configuration.transport.pinnedPublicKeys.count == 1)
  }

  @Test func tokensAreRenewedByTheManager() {
    // sample: renewAToken
    service.invalidateAndCancel()
    #expect(tokens.apiToken == nil)
  }
}
