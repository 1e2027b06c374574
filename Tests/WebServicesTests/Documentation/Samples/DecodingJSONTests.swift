@testable import WebServicesTestSupport

/// The samples of the article on decoding JSON.
@Suite struct DecodingJSONTests {
  private struct Joke: Decodable, Equatable {
    var jokeText: String
  }

  @Test func ownDecoderTakesFoundationsStrategies() throws {
    let data = Data(#"[{"joke_text": "Ha"}]"#.utf8)
    let bytes = Array(data)
    // sample: ownDecoder
    expectEqual(jokes, [Joke(jokeText: "Ha")])
    expectEqual(same, jokes)
  }
}
