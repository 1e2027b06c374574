import WebServices

/// The dependencies of the feature.
@MainActor
protocol CitiesBuildingMaterials {
  var session: any KongAccessible { get }
  var context: CommandContext { get }
}

/// Builds the feature. No other type names its concrete types.
@MainActor
struct CitiesBuilder {
  func make(with buildingMaterials: any CitiesBuildingMaterials) -> CitiesFlowController {
    let session = buildingMaterials.session

    let viewModel = CitiesViewModel(
      citiesBusinessController: CitiesBusinessController(accessible: session)
    )

    return CitiesFlowController(viewModel: viewModel, context: buildingMaterials.context)
  }
}
