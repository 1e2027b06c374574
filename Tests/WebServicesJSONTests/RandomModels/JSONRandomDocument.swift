package import Foundation

/// A document that fits a shape, or almost fits it.
package struct JSONRandomDocument {
  private var random: JSONRandom
  /// On average one value in this many doesn't fit.
  private let rarity: Int

  /// Makes a document. Foundation decodes the members of a dictionary in any order, so any of several failures may come
  /// first.
  ///
  /// - Returns: the document, and whether its failures have a defined order.
  package static func data(for shape: JSONShape, _ random: inout JSONRandom) -> (data: Data, hasOrder: Bool) {
    var document = JSONRandomDocument(
      random: JSONRandom(seed: random.next()), rarity: [3, 10, 40, 1000][random.below(4)])
    var bytes = Array(document.text(shape, 0).utf8)
    if random.chance(1, in: 6), !bytes.isEmpty {
      let place = random.below(bytes.count)
      switch random.below(5) {
      case 0: bytes.remove(at: place)
      case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 2: bytes.removeLast(bytes.count - place)
      case 3: bytes.insert(Array("{}[]:,\"\\ \n\t0-e.tn".utf8)[random.below(17)], at: place)
      default: bytes.swapAt(place, random.below(bytes.count))
      }
    }
    let hasOrder = !shape.hasDictionary || !bytes.contains(UInt8(ascii: ","))
    if random.chance(1, in: 60) { bytes = [0xEF, 0xBB, 0xBF] + bytes }
    if random.chance(1, in: 60) {
      let encodings: [String.Encoding] = [.utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32BigEndian]
      let text = String(decoding: bytes, as: UTF8.self)
      return (text.data(using: encodings[random.below(5)]) ?? Data(bytes), hasOrder)
    }
    return (Data(bytes), hasOrder)
  }

  private mutating func space() -> String { ["", "", "", "", " ", "\n\t", "\r\n  "][random.below(7)] }

  private mutating func text(_ shape: JSONShape, _ depth: Int) -> String {
    let value = random.chance(1, in: rarity) ? other(depth) : fitting(shape, depth)
    return space() + value + space()
  }

  private mutating func other(_ depth: Int) -> String {
    switch random.below(6) {
    case 0: "null"
    case 1: "[]"
    case 2: "{}"
    default: fitting(depth > 4 ? .scalar(random.below(JSONScalar.all.count)) : JSONShape(&random, depth: 2), depth + 1)
    }
  }

  private mutating func fitting(_ shape: JSONShape, _ depth: Int) -> String {
    switch shape {
    case .scalar(let index):
      let pieces = JSONScalar.all[index].pieces
      return random.chance(2, in: 3) ? pieces[random.below(min(4, pieces.count))] : pieces[random.below(pieces.count)]
    case .wrapped(let shape): return fitting(shape, depth)
    case .object(let members): return object(members, depth)
    case .tuple(let shapes):
      return array(shapes.map { text($0, depth + 1) } + (random.chance(1, in: 8) ? [text(.anything, depth + 1)] : []))
    case .array(let shape): return array((0..<random.below(5)).map { _ in text(shape, depth + 1) })
    case .dictionary(let shape), .allKeys(let shape):
      let count = random.chance(1, in: 50) ? 100 : random.below(4)
      return braces(
        (0..<count).map { index in
          let name = JSONShape.names[random.below(JSONShape.names.count)] + (count == 100 ? "\(index)" : "")
          return self.name(name) + text(shape, depth + 1)
        })
    case .numbered(let shape):
      return braces((0..<random.below(4)).map { _ in name(String(random.below(9) - 2)) + text(shape, depth + 1) })
    case .anything: return other(depth + 1)
    }
  }

  private mutating func object(_ members: [JSONShape.Member], _ depth: Int) -> String {
    var parts = members.map { name($0.name) + text($0.shape, depth + 1) }
    if !parts.isEmpty, random.chance(1, in: rarity) { parts.remove(at: random.below(parts.count)) }
    if random.chance(1, in: 4) {
      parts.append(name(JSONShape.names[random.below(JSONShape.names.count)]) + text(.anything, depth + 1))
    }
    if random.chance(1, in: 3) { parts.shuffle(using: &random) }
    if random.chance(1, in: 20) {
      parts += (0..<70).map { "\"extra\($0)\":\($0)" }
      parts.shuffle(using: &random)
    }
    return braces(parts)
  }

  private mutating func braces(_ parts: [String]) -> String {
    space() + "{" + parts.joined(separator: ",") + (random.chance(1, in: 100) ? ",}" : "}")
  }

  private mutating func array(_ parts: [String]) -> String {
    "[" + parts.joined(separator: ",") + (random.chance(1, in: 100) ? ",]" : "]")
  }

  private mutating func name(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case _ where random.chance(1, in: 60) && scalar.value < 0x10000:
        text += "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
        text += String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return space() + "\"\(text)\"" + space() + ":"
  }
}

/// Compares both decoders once, with a random model, document and settings.
///
/// - Returns: the difference; `nil` if both agree.
package func jsonRandomDifference(seed: UInt64) -> String? {
  var random = JSONRandom(seed: seed)
  let shape = JSONShape(&random)
  let (data, hasOrder) = JSONRandomDocument.data(for: shape, &random)
  // Foundation fails for some zeros with an exponent.
  let text = String(decoding: data, as: UTF8.self).lowercased().replacingOccurrences(of: "u00e9", with: "")
  if text.contains("0e") { return nil }
  let decoder = JSONDecoder()
  let dates: [JSONDecoder.DateDecodingStrategy] = [
    .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601,
    .custom { decoder in
      Date(timeIntervalSince1970: Double(try decoder.singleValueContainer().decode(String.self).count))
    },
  ]
  decoder.dateDecodingStrategy = dates[random.below(dates.count)]
  let datas: [JSONDecoder.DataDecodingStrategy] = [
    .base64, .deferredToData, .custom { Data([UInt8(truncatingIfNeeded: $0.codingPath.count)]) },
  ]
  decoder.dataDecodingStrategy = datas[random.below(datas.count)]
  if random.chance(1, in: 2) {
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }
  switch random.below(5) {
  case 0: decoder.keyDecodingStrategy = .convertFromSnakeCase
  case 1:
    decoder.keyDecodingStrategy = .custom { path in
      JSONShapedKey("\((path.last?.stringValue ?? "").lowercased())\(path.count % 3 == 0 ? "x" : "")")
    }
  default: break
  }
  JSONShapedModel.set(shape, for: decoder)
  guard let difference = jsonDifference(JSONShapedModel.self, data, decoder, hasOrder: hasOrder) else { return nil }
  return "seed \(seed): \(difference) (\(shape))"
}
