extension RequestContent where Request: Encodable {
  /// A form in the body, whatever the method, written by the `queryEncoder` of the service's configuration.
  public static var form: RequestContent {
    .body { .form($0) }
  }
}
