import WebServices
import WebServicesTesting

struct CityPage: Decodable, Sendable {
  var cities: [String]
  var total: Int
}

/// The body of the server's errors.
struct APIError: Error, Decodable {
  var message: String
}

let server = try LoopbackServer()
server.script(
  .get, "/capitals",
  [.json(#"{"cities": ["London", "Cardiff"], "total": 3}"#), .json(#"{"cities": ["Edinburgh"], "total": 3}"#)])
server.script(
  .get, "/villages",
  [.json(#"{"cities": ["Bibury"], "total": 900}"#), .json(#"{"message": "More villages cost extra."}"#, status: 402)])

var configuration = WebServiceConfiguration(baseURL: server.baseURL)
configuration.validators = [.serverErrors(APIError.self), .successfulStatus]
let service = JsonWebService(configuration: configuration)

for path in ["capitals", "villages"] {
  let pages = PageSequence.offsets(items: \CityPage.cities, total: { $0.total }) { offset in
    try await service.sendRequest(Request(path, query: ["offset": offset, "limit": 2]), as: CityPage.self)
  }
  do throws(WebServiceError) {
    for try await page in pages {
      for city in page.cities { print(city) }
    }
  } catch {
    print(error.underlying(as: APIError.self)?.message ?? error.friendlyDescription)
  }
}

// Prints: Edinburgh
// Prints: More villages cost extra.
