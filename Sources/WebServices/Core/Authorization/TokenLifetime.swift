package import Foundation

/// Clamps the lifetimes that services and storages give to a range that is safe to calculate with.
package enum TokenLifetime {
  /// Ten years.
  package static let longest: TimeInterval = 10 * 365 * 86_400

  /// The seconds, within 0 and `longest`; 0 when they aren't a number.
  package static func clamped(_ seconds: TimeInterval) -> TimeInterval { seconds > 0 ? min(seconds, longest) : 0 }
}
