@testable import WebServicesTestSupport

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
    expectEqual(joke.text, "A horse walks into a bar.")
    session.script(.get, "/jokes/7", .json(#"{"text": "A horse walks into a bar."}"#))
    expectEqual(try await service.sendRequest(JokeByID(id: 7), as: Joke.self).text, joke.text)
    session.script(.post, "/jokes", .json(#"{"text": "saved"}"#, status: 201))
    let draft = Draft()
    // sample: sendJSON
    expectEqual(saved.text, "saved")
    expectEqual(session.fields("Content-Type").last, "application/json")
  }

  @Test func photoIsUploadedWithProgress() async throws {
    let (service, session) = stubbed()
    session.script(.post, "/photos", .json(#"{"id": 1}"#, status: 201))
    let file = try TemporaryFile(Data("png".utf8), name: "photo.png")
    defer { withExtendedLifetime(file) {} }
    let photo = file.url
    let show: @Sendable (Double) -> Void = { _ in }
    // sample: uploadWithProgress
    expectEqual(stored.id, 1)
  }

  @Test func fileIsDownloaded() async throws {
    let (service, session) = stubbed()
    session.script(.get, "/films/7", .text("film"))
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("film.mp4")
    // sample: downloadAFile
    expectEqual(try String(contentsOf: file, encoding: .utf8), "film")
  }

  /// Compiled only.
  private func change(_ configuration: inout WebServiceConfiguration) {
    // sample: retryThrice
    // sample: watchRequests
    // sample: pinAndRedirects
    // sample: renewAToken
    service.invalidateAndCancel()
  }
}
