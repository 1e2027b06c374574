/// The jokes that the demo's backend sends.
enum JokeCollection {
  static let all: [Joke] = texts.enumerated().map { index, text in
    Joke(id: index + 1, joke: text.joke, categories: [text.category])
  }

  /// Returns this many jokes in random order. A joke repeats only after all jokes were returned.
  static func random(_ count: Int) -> [Joke] {
    var jokes: [Joke] = []
    while jokes.count < count {
      jokes += all.shuffled().prefix(count - jokes.count)
    }
    return jokes
  }

  private static let texts: [(category: String, joke: String)] = [
    ("rest", "A client asked for a joke about REST. The server had no state to remember one."),
    ("rest", "I told a DELETE joke twice. It was idempotent: nobody laughed either time."),
    ("rest", "404: the punch line was here a moment ago."),
    ("rest", "418 is the only status code that comes with biscuits."),
    ("rest", "My friend answers every question with 204. A man of no content."),
    ("rest", "Knock, knock. 401. Who may I say is there?"),
    ("swift", "An optional walks into a bar. Or nothing does."),
    ("swift", "A struct and a class swap coats. The struct keeps its own copy, just in case."),
    ("swift", "There are two kinds of people: those who handle errors, and try?"),
    ("network", "I know a good joke about UDP, but you might not get it."),
    ("network", "I know a good joke about TCP. Do you want to hear it? Good. Did you get it? Good."),
    ("network", "There is no place like 127.0.0.1."),
    ("network", "Why do caches tell old jokes? They are still fresh for another five minutes."),
    ("network", "A timeout is just a joke whose punch line"),
    ("nerdy", "There are two hard things: naming, caching, and counting from zero."),
    ("nerdy", "It works on my machine. So we serve on my machine."),
  ]
}
