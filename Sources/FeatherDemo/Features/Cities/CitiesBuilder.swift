import WebServices

/// What the feature is built with.
@MainActor
protocol CitiesBuildingMaterials {
  var session: any KongAccessible { get }
  var context: CommandContext { get }
}

/// Puts the feature together: the one place that knows its concrete types.
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
