import WebServices

/// The objects that `CitiesBuilder` needs: an accessor for requests, and the command's context.
@MainActor
protocol CitiesBuildingMaterials {
  var session: any KongAccessible { get }
  var context: CommandContext { get }
}

/// Creates the objects of the cities feature, and connects them. `CitiesCommand` calls `make(with:)`.
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
