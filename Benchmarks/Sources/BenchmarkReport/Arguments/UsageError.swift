/// Invalid arguments.
package struct UsageError: Error, Hashable {
  /// The message, a sentence without its full stop.
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}
