/// A service that can end what it has in flight with the credentials of a user who signs out.
package protocol AuthorizedRequestsCancelling: AnyObject, Sendable {
  /// Ends every request that carries or waits for a token as cancelled. When this has returned, none of them is
  /// delivered as a success any more.
  func cancelAuthorizedRequests()

  /// What cancels the same requests and lives as long as they do. It is the service itself unless requests may outlive
  /// the service.
  var authorizedRequests: any AuthorizedRequestsCancelling { get }
}

extension AuthorizedRequestsCancelling {
  /// The service itself.
  package var authorizedRequests: any AuthorizedRequestsCancelling { self }
}
