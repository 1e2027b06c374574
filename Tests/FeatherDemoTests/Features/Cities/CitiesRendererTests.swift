import Testing
import WebServices

@testable import FeatherDemo

@Suite struct CitiesRendererTests {
  @Test(arguments: CitiesExpectations.all)
  func eachStateHasItsScreen(_ expectation: CitiesExpectations) {
    #expect(CitiesRenderer.screen(for: expectation.state) == expectation.screen)
  }
}
