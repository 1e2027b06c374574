/// Makes printing, reflecting and dumping a value with secrets show only its `description`, which contains no secret.
package protocol DescriptionOnly: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension DescriptionOnly {
  /// Equal to `description`.
  public var debugDescription: String { description }
  /// A mirror with the description alone.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
