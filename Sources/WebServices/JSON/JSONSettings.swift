import Foundation

/// A copy of a `JSONDecoder`'s settings.
///
/// Each property of a `JSONDecoder` takes a lock. Two threads that read the properties of one decoder for each document
/// wait for each other longer than they decode. An object, so that a document stores one reference.
final class JSONSettings: Sendable {
  let dates: JSONDecoder.DateDecodingStrategy
  let data: JSONDecoder.DataDecodingStrategy
  let floats: JSONDecoder.NonConformingFloatDecodingStrategy
  let keys: JSONDecoder.KeyDecodingStrategy
  let userInfo: [CodingUserInfoKey: any Sendable]
  /// Whether a document may lack its outer braces.
  let assumesBraces: Bool

  /// Whether Foundation's decoder must decode: for a subclass, and a strategy for dates that only it knows.
  let needsFoundation: Bool

  init(_ decoder: JSONDecoder) {
    userInfo = decoder.userInfo
    // Foundation stores `assumesTopLevelDictionary` in `userInfo`. If that is empty, a second lock is saved.
    assumesBraces = !userInfo.isEmpty && decoder.assumesTopLevelDictionary
    dates = decoder.dateDecodingStrategy
    data = decoder.dataDecodingStrategy
    floats = decoder.nonConformingFloatDecodingStrategy
    keys = decoder.keyDecodingStrategy
    needsFoundation = type(of: decoder) != JSONDecoder.self || !Self.knows(dates)
  }

  var usesDefaultKeys: Bool { if case .useDefaultKeys = keys { true } else { false } }

  var convertsSnakeCase: Bool { if case .convertFromSnakeCase = keys { true } else { false } }

  /// Converts a member's name to a key with the strategy. The path leads to the member's object.
  func key(for name: String, at path: @autoclosure () -> [any CodingKey]) -> any CodingKey {
    switch keys {
    case .convertFromSnakeCase: JSONKey(stringValue: JSONSnakeCase.key(of: name))
    case .custom(let convert): convert(path() + [JSONKey(stringValue: name)])
    default: JSONKey(stringValue: name)
    }
  }

  /// Only Apple's Foundation has the case `.formatted`, which it decodes itself. On Linux `.formatted` makes a
  /// `.custom` strategy. The switch is over an optional, because Linux warns of a `default` after all cases.
  private static func knows(_ strategy: JSONDecoder.DateDecodingStrategy) -> Bool {
    switch Optional(strategy) {
    case .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .custom: return true
    default: return false
    }
  }
}
