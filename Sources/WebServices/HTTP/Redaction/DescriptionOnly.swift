/// A value with secrets in it. Its description says what may be shown, and printing, reflecting or dumping the value shows
/// the description alone.
package protocol DescriptionOnly: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension DescriptionOnly {
  /// Equal to `description`.
  public var debugDescription: String { description }
  /// A mirror with the description alone.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
