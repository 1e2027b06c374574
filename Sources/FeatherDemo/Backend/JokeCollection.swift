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
    ("rest", "POST walks into a bar. POST walks into a bar. Was that one order or two?"),
    ("rest", "Why was the PUT so calm? Whatever happened, it could always try again."),
    ("rest", "404: the punch line was here a moment ago."),
    ("rest", "418 is the only status code that comes with biscuits."),
    ("rest", "A HEAD request asked for this joke. It got the length and left happy."),
    ("rest", "My friend answers every question with 204. A man of no content."),
    ("rest", "The redirect said the party was next door. So did next door. After twenty doors we went home."),
    ("rest", "301: this joke has moved for good. Please update your sense of humor."),
    ("rest", "The API had great documentation. It was just about another API."),
    ("rest", "Knock, knock. 401. Who may I say is there?"),
    ("rest", "I would tell you the joke about 429, but you have asked too often."),
    ("swift", "An optional walks into a bar. Or nothing does."),
    ("swift", "Why did the programmer stop unwrapping presents by force? The last one was nil."),
    ("swift", "Two actors share a flat. They only speak in messages, and always wait their turn."),
    ("swift", "The closure held on to me so strongly that I asked it to be weak."),
    ("swift", "A struct and a class swap coats. The struct keeps its own copy, just in case."),
    ("swift", "The guard let me in, or else I would have returned early."),
    ("swift", "My code is so generic that even I don't know what type of joke this is."),
    ("swift", "There are two kinds of people: those who handle errors, and try?"),
    ("network", "I know a good joke about UDP, but you might not get it."),
    ("network", "I know a good joke about TCP. Do you want to hear it? Good. Did you get it? Good."),
    ("network", "The best thing about a loopback joke: it always comes home."),
    ("network", "A packet asked for the way. Everybody told it the next hop only."),
    ("network", "There is no place like 127.0.0.1."),
    ("network", "Why do caches tell old jokes? They are still fresh for another five minutes."),
    ("network", "DNS is a simple thing. That is what I heard from someone who heard it from someone."),
    ("network", "The proxy laughed on behalf of the client."),
    ("network", "A timeout is just a joke whose punch line"),
    ("nerdy", "There are two hard things: naming, caching, and counting from zero."),
    ("nerdy", "It works on my machine. So we serve on my machine."),
  ]
}
