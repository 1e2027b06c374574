import Foundation
import WebServices

/// A model with many kinds of members.
struct Shop: Decodable {
  enum Kind: String, Decodable {
    case small, large
  }

  struct Owner: Decodable {
    var name: String
    var age: UInt8?
    var id: String?
  }

  var id: String
  var parent: String?
  var name: String
  var count: Int
  var price: Double
  var opened: Date
  var site: URL?
  var kind: Kind
  var tags: [String]
  var stock: [String: Int]
  var owner: Owner?
  var more: JSONValue?
}

/// A coding key with any text or any number.
struct AnyStep: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}
