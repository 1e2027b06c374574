import Foundation
import Observation
import Testing
import WebServices
import WebServicesTesting

#if canImport(SwiftUI)
  import SwiftUI

// sample: filmsView
#endif

// sample: film

// sample: filmsModel

// sample: filmsFake

/// The samples of the article on SwiftUI.
@Suite struct ShowingModelsTests {
  // sample: filmsTests

  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
  @Test @MainActor func previewShowsAFilm() async {
    let model = FilmsModel.preview
    await model.load()
    #expect(model.films.map(\.id) == [7])
  }
}
