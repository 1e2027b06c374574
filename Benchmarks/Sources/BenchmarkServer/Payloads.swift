/// The bodies that both servers send.
package enum Payloads {
  /// A body of 976 bytes of JSON with ten jokes.
  package static let jokes = jokeList(count: 10, bytes: 976)
  /// A body of 65,536 bytes of JSON.
  package static let manyJokes = jokeList(count: 660, bytes: 65_536)
  /// The size of the download in bytes.
  package static let downloadBytes = 100_000_000

  private static let texts = [
    "Why do Java developers wear glasses? No C sharp.", "It works on my machine, said the snowman.",
    "There is no place like 127.0.0.1, dear.", "I would tell you a UDP joke: \\\"hello?\\\"",
    "Two bytes meet. One of them is a bit off.", "My cache has a good memory, mostly.",
  ]

  /// Makes a body of exactly this size by padding its last text.
  private static func jokeList(count: Int, bytes: Int) -> String {
    func object(_ index: Int, _ text: String) -> String {
      "{\"id\":\(100 + index),\"joke\":\"\(text)\",\"categories\":[\"nerdy\"]}"
    }
    let head = "{\"type\":\"success\",\"value\":["
    let jokes = (0..<(count - 1)).map { object($0, texts[$0 % texts.count]) }
    let start = head + jokes.joined(separator: ",") + ","
    let missing = bytes - start.utf8.count - object(count - 1, "").utf8.count - "]}".utf8.count
    let filling = String(repeating: "ha", count: max(0, missing) / 2) + (missing % 2 == 0 ? "" : "!")
    return start + object(count - 1, filling) + "]}"
  }
}
