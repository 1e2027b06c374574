extension RequestRun {
  /// Prepares the step that a redirect leads to. Credentials that are made for one URL are made again for the next.
  ///
  /// - Parameter next: the step's request, with the credentials that it may keep.
  func follow(_ next: TransportRequest, _ step: RequestStep, after transfer: Int) -> Event? {
    let isToBeSigned = authorization.isBoundToRequest && step.isAuthorized
    guard isToBeSigned || next.body.isStream else {
      return .followed(after: transfer, .success(AuthorizedRequest(request: next)))
    }
    callApp(after: transfer) { [self] in
      .followed(
        after: transfer,
        Result { () throws(RequestFailure) in
          isToBeSigned ? try signedAgain(step) : AuthorizedRequest(request: next)
        })
    }
    return nil
  }

  private func signedAgain(_ step: RequestStep) throws(RequestFailure) -> AuthorizedRequest {
    let token = state.withLock { $0.machine.credentials?.token }
    return try authorized(step.request, by: authorization, token: token)
  }
}
