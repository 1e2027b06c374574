extension HTTPHeaders: DescriptionOnly {
  /// The fields in one line, without the values that `Redaction.standard` hides. An app's own names are known to its
  /// configuration's `redaction` only: `redaction.headers(_:)` shows the fields without those too.
  public var description: String { Redaction.standard.headers(self) }
}

extension HTTPHeaders.Field: DescriptionOnly {
  /// The field as a line, without a value that `Redaction.standard` hides.
  public var description: String { Redaction.standard.line(for: self) }
}
