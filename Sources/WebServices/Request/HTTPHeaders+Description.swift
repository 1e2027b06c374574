extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The fields in one line, without the values that `Redaction.standard` hides. An app's own names are known to its
  /// configuration's `redaction` only: `redaction.headers(_:)` shows the fields without those too.
  public var description: String { Redaction.standard.headers(self) }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Shows the description alone.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The field as a line, without a value that `Redaction.standard` hides.
  public var description: String { Redaction.standard.line(for: self) }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Shows the description alone.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
