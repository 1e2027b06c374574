/// Arguments that can't be understood.
package struct UsageError: Error, Hashable {
  /// A sentence without its full stop.
  package let message: String

  package init(_ message: String) {
    self.message = message
  }
}
