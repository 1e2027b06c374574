/// Options of one request. An option that isn't set has the value that the configuration says.
///
/// ```swift
/// RequestOptions { $0.timeout = 5 }
/// ```
///
/// Options travel with the ``TransportRequest`` to the session. To add an option of your own, declare a
/// ``RequestOptions/Key`` and a property, and read the property in a session that wraps another one.
///
/// The article <doc:DescribingRequests> has samples.
public struct RequestOptions: Sendable {
  // One `Option` for each option that is set. An empty array allocates nothing, and few options are found fastest in a
  // row.
  @usableFromInline var options: [any SetOption] = []

  /// Creates options of which none is set.
  public init() {}

  /// Creates options and sets some of them. The closure runs at once, inside this call.
  public init(_ configure: (inout RequestOptions) -> Void) { configure(&self) }

  /// The value of an option.
  @inlinable public subscript<Key: RequestOptions.Key>(_ key: Key.Type) -> Key.Value {
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

  /// Declares an option of a request. The conforming type identifies the option and has the option's default value.
  ///
  /// ```swift
  /// private enum TenantKey: RequestOptions.Key {
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
  public protocol Key: Sendable {
    /// The type of the option.
    associatedtype Value: Sendable
    /// The value of an option that isn't set.
    static var defaultValue: Value { get }
    /// Whether a session that reads the option may get another response. If so, requests with different values share no
    /// transfer (``SessionLayer/coalescing``), and the cache stores no response to a request that sets the option. The
    /// default is `true`. Say `false` if the option changes only header fields before it comes to these layers, or only
    /// what you log.
    static var changesResponse: Bool { get }
  }

  /// Whether the options of an app leave the response the same. Values that can't be compared count as different.
  ///
  /// - Parameter other: the options of another request. Without an argument the options are compared with those of a
  ///   request that sets none.
  package func mayShareResponse(with other: RequestOptions = RequestOptions()) -> Bool {
    options.allSatisfy { $0.mayShareResponse(with: other) }
      && other.options.allSatisfy { $0.mayShareResponse(with: self) }
  }
}

extension RequestOptions.Key {
  /// `true`
  public static var changesResponse: Bool { true }
}

/// The key of an option of the library. A layer that shares or stores responses knows what these options do.
package protocol LibraryOptionKey: RequestOptions.Key {}

extension LibraryOptionKey { package static var changesResponse: Bool { false } }

/// An option that is set, whatever its key.
@usableFromInline protocol SetOption: AnyObject, Sendable {
  /// Whether the option has the same value in the other options, or doesn't change the response.
  func mayShareResponse(with other: RequestOptions) -> Bool
}

/// An option that is set, with its value.
@_fixed_layout @usableFromInline final class Option<Key: RequestOptions.Key>: SetOption {
  @usableFromInline let value: Key.Value

  @inlinable init(_ value: Key.Value) { self.value = value }

  @usableFromInline func mayShareResponse(with other: RequestOptions) -> Bool {
    guard Key.changesResponse else { return true }
    guard let type = Key.Value.self as? any Equatable.Type else { return false }
    return areEqual(value, other[Key.self], as: type)
  }

  private func areEqual<Value: Equatable>(_ left: Key.Value, _ right: Key.Value, as type: Value.Type) -> Bool {
    left as? Value == right as? Value
  }
}
