/// Options of one request. An option that isn't set has the value that the configuration says.
///
/// ```swift
/// RequestOptions { $0.timeout = 5 }
/// ```
///
/// Options travel with the ``TransportRequest`` to the session. To add an option of your own, declare a
/// ``RequestOptionKey`` and a property, and read the property in a session that wraps another one.
///
/// The article <doc:DescribingRequests> has samples.
public struct RequestOptions: Sendable {
  // One `Option` for each option that is set. An empty array allocates nothing, and few options are found fastest in a
  // row.
  @usableFromInline var options: [any AnyObject & Sendable] = []

  /// Creates options of which none is set.
  @inlinable public init() {}

  /// Creates options and sets some of them. The closure runs at once, inside this call.
  public init(_ configure: (inout RequestOptions) -> Void) {
    configure(&self)
  }

  /// The value of an option.
  @inlinable public subscript<Key: RequestOptionKey>(_ key: Key.Type) -> Key.Value {
    get {
      // Most requests set no option, and each reads a dozen.
      guard !options.isEmpty else { return Key.defaultValue }
      for option in options {
        if let option = option as? Option<Key> { return option.value }
      }
      return Key.defaultValue
    }
    set {
      let option = Option<Key>(newValue)
      if let index = options.firstIndex(where: { $0 is Option<Key> }) {
        options[index] = option
      } else {
        options.append(option)
      }
    }
  }
}

/// Declares an option of a request. The conforming type identifies the option and has the option's default value.
///
/// ```swift
/// private enum TenantKey: RequestOptionKey {
///   static var defaultValue: String? { nil }
/// }
///
/// extension RequestOptions {
///   var tenant: String? {
///     get { self[TenantKey.self] }
///     set { self[TenantKey.self] = newValue }
///   }
/// }
/// ```
public protocol RequestOptionKey {
  /// The type of the option.
  associatedtype Value: Sendable
  /// The value of an option that isn't set.
  static var defaultValue: Value { get }
}

/// An option that is set, with its value.
@usableFromInline final class Option<Key: RequestOptionKey>: Sendable {
  @usableFromInline let value: Key.Value

  @inlinable init(_ value: Key.Value) {
    self.value = value
  }
}
