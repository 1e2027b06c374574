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
  let paging = Paging<CityPage>.query("offset", from: 0) { page, offset in
    offset + page.cities.count < page.total ? offset + page.cities.count : nil
  }
  do throws(WebServiceError) {
    for try await page in service.pages(of: Request(path, query: ["limit": 2]), as: CityPage.self, by: paging) {
      for city in page.cities { print(city) }
    }
  } catch {
    print(error.underlying(as: APIError.self)?.message ?? error.friendlyDescription)
  }
}

// Prints: Edinburgh
// Prints: More villages cost extra.
