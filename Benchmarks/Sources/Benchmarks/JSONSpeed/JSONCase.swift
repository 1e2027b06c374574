import Foundation
import WebServices

/// A document, and the model that both decoders decode from it.
struct JSONCase: Sendable {
  let name: String
  let bytes: Int
  /// The decoding with Foundation's decoder and with the library's.
  let foundation: @Sendable () throws -> Void
  let own: @Sendable () throws -> Void

  init<Model: Decodable & SendableMetatype>(
    _ name: String, _ type: Model.Type, _ json: String, _ decoder: JSONDecoder = JSONDecoder()
  ) {
    let data = Data(json.utf8)
    self.name = name
    bytes = data.count
    foundation = { _ = try decoder.decode(type, from: data) }
    own = { _ = try FeatherJSONDecoder(decoder).decode(type, from: data) }
  }

  static let all: [JSONCase] = [
    JSONCase("ten objects of three members", Jokes.self, JSONText.jokes(10, bytes: 976)),
    JSONCase("660 of them", Jokes.self, JSONText.jokes(660, bytes: 65_536)),
    JSONCase("messages, like twitter.json", Timeline.self, JSONText.timeline(100)),
    JSONCase("a catalogue, like citm_catalog.json", Catalogue.self, JSONText.catalogue(180)),
    JSONCase("outlines, like canada.json", Outlines.self, JSONText.outlines(60)),
    JSONCase("10,000 whole numbers", [Int].self, JSONText.numbers(10_000) { random in "\(random.next() >> 40)" }),
    JSONCase("10,000 decimal fractions", [Double].self, JSONText.numbers(10_000, JSONText.degree)),
    JSONCase(
      "10,000 short strings", [String].self, JSONText.numbers(10_000) { random in "\"\(JSONText.word(&random))\"" }),
    JSONCase("optional and missing members", [Sparse].self, JSONText.sparse(500)),
    JSONCase("repositories, snake case, ISO 8601", [Repository].self, JSONText.repositories(100), JSONText.settings),
    JSONCase("10,000 elements of another type", Lossy.self, JSONText.numbers(10_000) { _ in "\"x\"" }),
    JSONCase(
      "10,000 members of another type", Lossy.self,
      "{\((0..<10_000).map { "\"m\($0)\":\"x\"" }.joined(separator: ","))}"),
  ]
}
