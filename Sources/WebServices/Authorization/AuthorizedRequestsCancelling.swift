/// A service that can end what it has in flight with the credentials of a user who signs out.
package protocol AuthorizedRequestsCancelling {
  /// Ends every request that carries or waits for a token as cancelled. When this has returned, none of them is
  /// delivered as a success any more.
  func cancelAuthorizedRequests()
}
