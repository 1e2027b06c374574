import Foundation
import Testing
import WebServices

/// The samples of the article on decoding JSON.
@Suite struct DecodingJSONTests {
  private struct Joke: Decodable, Equatable {
    var jokeText: String
  }

  @Test func ownDecoderTakesFoundationsStrategies() throws {
    let data = Data(#"[{"joke_text": "Ha"}]"#.utf8)
    let bytes = Array(data)
    // sample: ownDecoder
    #expect(jokes == [Joke(jokeText: "Ha")])
    #expect(same == jokes)
  }
}
