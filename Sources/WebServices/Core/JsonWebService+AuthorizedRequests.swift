/// `cancelAuthorizedRequests()` is what a token manager calls on a sign-out.
extension JsonWebService: AuthorizedRequestsCancelling {}
