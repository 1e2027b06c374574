extension DemoBackend {
  /// Adds the routes of the features' commands.
  func addFeatureRoutes() {
    addCitiesRoutes()
    addAccountRoutes()
    addPhotoRoutes()
    addMenuRoutes()
  }
}
