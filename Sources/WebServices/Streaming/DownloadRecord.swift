import Foundation
import WebServicesFiles

/// The record beside a kept file. It says which request the bytes belong to, and names their version on the server.
///
/// The record is removed before bytes of another version are written, and written before the first of them. A process
/// that ends in between leaves bytes without a record, which are ignored.
struct DownloadRecord: Sendable {
  /// The content of the record's file. It holds no URL, account or credential.
  private struct Content: Codable {
    /// The hash of the URL, the account, the credentials and the `Range` of the request.
    var key: String
    var version: DownloadProgress.Version
  }

  /// More bytes than a record needs: a larger file wasn't written by the library.
  private static let limit = 64 * 1024

  /// The file of the record.
  let file: URL
  /// The user's name; `nil` without a user.
  let account: String?
  /// Whether the request carries credentials, so that it needs an account.
  let needsAccount: Bool
  /// The fields that carry credentials.
  let credentialFields: CredentialFields

  /// The key of a described request: only a request with the same key may use the bytes.
  func key(of request: TransportRequest) throws(WebServiceError) -> String {
    guard account != nil || !needsAccount else {
      let message = "a download with credentials is kept for an account: name it in partialDownload"
      throw WebServiceError(.invalidRequest, message: message)
    }
    let fields = request.headers.filter { credentialFields.contain($0.name) || $0.name.lowercased() == "range" }
      .map { "\($0.name): \($0.value)" }
    // No account differs from an account with an empty name.
    let parts = [request.method.rawValue, request.address, account ?? "", "\(account != nil)"] + fields
    return SHA256.hash(ofParts: parts.map { Array($0.utf8) }).hexadecimal
  }

  /// The version of the bytes; `nil` if they belong to another request, or to none that is known.
  func version(for key: String) -> DownloadProgress.Version? {
    guard let data = try? folder?.content(of: file.lastPathComponent, limit: Self.limit, isPrivate: true),
      let content = try? JSONDecoder().decode(Content.self, from: data), content.key == key
    else { return nil }
    return content.version
  }

  func write(_ version: DownloadProgress.Version, for key: String) throws {
    let data = try JSONEncoder().encode(Content(key: key, version: version))
    try folder?.replace(file.lastPathComponent, with: data, by: ".\(UUID().uuidString).resume")
  }

  func remove() throws { try folder?.remove(file.lastPathComponent) }

  private var folder: PrivateFolder? {
    // The dot makes the system follow a link: the caller may name the folder by one.
    get throws { try PrivateFolder(file.deletingLastPathComponent().path + "/.", privacy: .ignored) }
  }
}
