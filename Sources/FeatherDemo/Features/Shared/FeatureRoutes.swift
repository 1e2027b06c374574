extension DemoBackend {
  /// Adds what the features' commands ask for.
  func addFeatureRoutes() {
    addCitiesRoutes()
    addAccountRoutes()
    addPhotoRoutes()
    addMenuRoutes()
  }
}
