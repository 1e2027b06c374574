import Foundation
import WebServices
import WebServicesTesting

extension LoopbackServer {
  /// Serves the API that the generated client calls.
  ///
  /// - Parameters:
  ///   - piece: holds back the second piece of a recording.
  ///   - end: opens when the connection of another recording is to break.
  func serveJokes(holding piece: Gate, breakingAt end: Gate) {
    // A refused token, then a moment of too much work, then the joke.
    script(
      .get, "/jokes/7",
      [.unauthorized("Bearer"), .status(503), .json(#"{"text": "A horse walks into a bar."}"#)])
    route(.post, "/token", .json(#"{"apiToken": "new", "secondsRemaining": 3600}"#))
    route(.get, "/jokes/8", .json(#"{"title": "There is no joke 8."}"#, status: 404))
    let cookies: HTTPHeaders = ["Set-Cookie": "a=1", "set-cookie": "b=2"]
    route(.get, "/jokes/6", .text("It was bad.", status: 410, headers: cookies))
    route(.get, "/jokes/9", [.never])
    route(.post, "/jokes") { .json($0.text, status: 201) }
    script(.put, "/jokes/7/recording", [.status(503), .status(503), .status(204)])
    let head = Step.head(
      status: 200, headers: ["Content-Type": "application/octet-stream", "Transfer-Encoding": "chunked"])
    route(
      .get, "/jokes/7/recording",
      [head, .chunk(Data("A horse".utf8)), .wait(piece), .chunk(Data("and a dog".utf8)), .lastChunk()])
    route(.get, "/jokes/6/recording", [head, .chunk(Data("A ".utf8)), .wait(end), .reset])
  }
}
