import Testing

@testable import FeatherDemo

@Suite struct JokeCollectionTests {
  @Test func collectionHasAtLeastTwentyDistinctJokes() {
    #expect(JokeCollection.all.count >= 20)
    #expect(Set(JokeCollection.all.map(\.joke)).count == JokeCollection.all.count)
    #expect(Set(JokeCollection.all.map(\.id)).count == JokeCollection.all.count)
  }

  @Test func randomReturnsTheRequestedNumberOfJokes() {
    for count in [1, 10, JokeCollection.all.count, 100] {
      #expect(JokeCollection.random(count).count == count)
    }
    let each = JokeCollection.random(JokeCollection.all.count)
    #expect(Set(each.map(\.id)).count == each.count)
  }
}
