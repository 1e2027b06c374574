/// Decides whether the bytes of a download that ends before its last byte are kept.
///
/// The article <doc:TransferringFiles> has samples.
public enum PartialDownload: Hashable, Sendable {
  /// The bytes are deleted, and the next download begins at the first byte.
  case deleted
  /// The bytes stay in a hidden file beside the target. The next download of the same URL to the same file continues
  /// after them, also in a later launch. It begins anew if the file on the server has changed. It also does so if the
  /// request has another `Accept`, `Accept-Language` or `Range`, or if only one of both requests has an authorization.
  ///
  /// One kept download at a time may have a target, also among processes. A second one fails with
  /// ``WebServiceError/Kind/file`` until the first one's completion has run.
  ///
  /// - Parameter account: names the user, for example by a number. A download of one account is never continued for
  ///   another account. A request with an authorization, or through a service that keeps cookies, needs an account.
  ///   `nil` means that the download belongs to no user.
  case kept(account: String? = nil)
}

private enum PartialDownloadKey: LibraryOptionKey { static var defaultValue: PartialDownload { .deleted } }

extension RequestOptions {
  /// Decides whether the bytes of a download that ends before its last byte are kept. The default is `.deleted`.
  public var partialDownload: PartialDownload {
    get { self[PartialDownloadKey.self] }
    set { self[PartialDownloadKey.self] = newValue }
  }
}
