extension Server.Take where R == String {
  /// Text, in the charset that the answer names, else UTF-8. Text that is malformed is an error of kind
  /// `.undecodableBody`.
  public static func text() -> Server.Take<R> {
    .custom { response in
      let type = response.headers["Content-Type"].flatMap { MediaType($0) }
      return try TextDecoding.string(from: response.body, contentType: type)
    }
  }
}
