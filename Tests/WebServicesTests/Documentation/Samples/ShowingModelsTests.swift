import Observation
@testable import WebServicesTestSupport

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
    expectEqual(model.films.map(\.id), [7])
  }
}
