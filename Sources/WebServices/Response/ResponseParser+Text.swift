extension ResponseParser where Value == String {
  /// Text, in the charset that the answer names, else UTF-8; a byte-order mark counts for more. Bytes that are no text in
  /// it end as `.undecodableBody` with a `TextDecodingError` underneath.
  public static var text: ResponseParser {
    ResponseParser(accept: "text/plain, text/*;q=0.9, */*;q=0.5") { response in
      try TextDecoding.string(
        from: response.body, contentType: response.headers["Content-Type"].flatMap { MediaType($0) })
    }
  }
}
