// Prints each use of a symbol that is newer than the oldest systems, and fails if there is one. `scripts/availability`
// compiles it, and calls it with a folder of symbol graphs, the folder around the sources, an index store, and systems
// with their versions.
import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { var precise: String }
    struct Version: Decodable {
      var major: Int
      var minor: Int?
    }
    struct Availability: Decodable {
      var domain: String?
      var introduced: Version?
    }
    var identifier: Identifier
    var pathComponents: [String]
    var availability: [Availability]?
  }
  var symbols: [Symbol]
}

/// The names of the symbols that are too new, and the system that they need, by their identifier in the index.
func newSymbols(in graphs: String, oldest: [String: Int]) throws -> [String: (name: String, system: String)] {
  var new: [String: (name: String, system: String)] = [:]
  var older: Set<String> = []
  for file in try FileManager.default.contentsOfDirectory(atPath: graphs) {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(graphs)/\(file)"))
    for symbol in try JSONDecoder().decode(Graph.self, from: data).symbols {
      let name = symbol.pathComponents.joined(separator: ".")
      let system = symbol.availability?.lazy.compactMap { entry -> String? in
        guard let domain = entry.domain, let version = entry.introduced, let oldest = oldest[domain] else { return nil }
        let minor = version.minor ?? 0
        return (version.major, minor) > (oldest, 0) ? "\(domain) \(version.major).\(minor)" : nil
      }.first
      if let system { new[symbol.identifier.precise] = (name, system) } else { older.insert(name) }
    }
  }
  // For an old system, the compiler takes an older symbol of the same name: the `&*` of a protocol's extension, or the
  // `data(using:)` of every `StringProtocol`.
  return new.filter {
    !older.contains($0.value.name) && !older.contains($0.value.name.replacing("String.", with: "StringProtocol."))
  }
}

/// Whether a condition around the line keeps the line from old systems. Sources are formatted, so the indentation tells
/// which lines are around it.
func isGuarded(_ line: Int, in lines: [String]) -> Bool {
  func indentation(_ line: String) -> Int { line.prefix { $0 == " " }.count }
  var around = indentation(lines[line])
  // Attributes stand above the first line of a declaration, whose head may end with a line such as `) -> Int {`.
  var isHead = true
  var inner = lines[line].dropFirst(around)
  for line in lines[..<line].reversed() where indentation(line) <= around && !line.isEmpty {
    let isOuter = indentation(line) < around
    around = indentation(line)
    let text = line.dropFirst(around)
    isHead = isOuter || isHead && (inner.hasPrefix(")") || text.hasPrefix("@"))
    if text.hasPrefix("guard #available(") || isHead && text.hasPrefix("@available(") { return true }
    // Linux compiles the `#else` of `#if canImport(Darwin)`.
    if isOuter, text.contains("if #available(") || text.hasPrefix("#if os(Linux)") || text == "#else" { return true }
    inner = text
  }
  return false
}

func text(_ reference: indexstore_string_ref_t) -> String {
  String(decoding: UnsafeRawBufferPointer(start: reference.data, count: reference.length), as: UTF8.self)
}

/// The search. The functions of the index take a C function and a pointer, which is the address of this object.
final class Search {
  let root: String
  let store: indexstore_t?
  let new: [String: (name: String, system: String)]
  var file = ""
  var readFiles = 0
  var found: Set<String> = []

  init(root: String, store: String, _ new: [String: (name: String, system: String)]) {
    self.root = root
    self.store = indexstore_store_create(store, nil)
    self.new = new
  }

  static func at(_ address: UnsafeMutableRawPointer?) -> Search? {
    address.map { Unmanaged<Search>.fromOpaque($0).takeUnretainedValue() }
  }

  func run() {
    _ = indexstore_store_units_apply_f(store, 0, Unmanaged.passUnretained(self).toOpaque()) { address, name in
      Search.at(address)?.readUnit(text(name))
      return true
    }
  }

  /// Reads the records of one compiled file.
  private func readUnit(_ name: String) {
    let unit = indexstore_unit_reader_create(store, name, nil)
    defer { indexstore_unit_reader_dispose(unit) }
    file = text(indexstore_unit_reader_get_main_file(unit))
    // The index keeps files that were deleted since.
    guard ["Sources", "Tests", ".build/plugins/outputs"].contains(where: { file.hasPrefix("\(root)/\($0)/") }),
      FileManager.default.fileExists(atPath: file)
    else { return }
    readFiles += 1
    _ = indexstore_unit_reader_dependencies_apply_f(unit, Unmanaged.passUnretained(self).toOpaque()) { address, item in
      guard let search = Search.at(address), text(indexstore_unit_dependency_get_filepath(item)) == search.file,
        indexstore_unit_dependency_get_kind(item) == INDEXSTORE_UNIT_DEPENDENCY_RECORD
      else { return true }
      let record = indexstore_record_reader_create(search.store, text(indexstore_unit_dependency_get_name(item)), nil)
      _ = indexstore_record_reader_occurrences_apply_f(record, address) { address, occurrence in
        Search.at(address)?.read(occurrence)
        return true
      }
      indexstore_record_reader_dispose(record)
      return true
    }
  }

  private func read(_ occurrence: indexstore_occurrence_t?) {
    guard let symbol = new[text(indexstore_symbol_get_usr(indexstore_occurrence_get_symbol(occurrence)))] else {
      return
    }
    // The compiler adds what no source says for each system: the `next(isolation:)` of `for await`, and the defaults of
    // coding containers.
    guard indexstore_occurrence_get_roles(occurrence) & UInt64(INDEXSTORE_SYMBOL_ROLE_IMPLICIT) == 0 else { return }
    var (line, column): (UInt32, UInt32) = (0, 0)
    indexstore_occurrence_get_line_col(occurrence, &line, &column)
    let lines = (try? String(contentsOfFile: file, encoding: .utf8))?.components(separatedBy: "\n") ?? []
    guard !isGuarded(Int(line) - 1, in: lines) else { return }
    found.insert("\(file.dropFirst(root.count + 1)):\(line): \(symbol.name) needs \(symbol.system)")
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
var oldest: [String: Int] = [:]
for index in stride(from: 3, to: arguments.count, by: 2) { oldest[arguments[index]] = Int(arguments[index + 1]) }
let search = Search(root: arguments[1], store: arguments[2], try newSymbols(in: arguments[0], oldest: oldest))
search.run()
search.found.sorted { $0.compare($1, options: .numeric) == .orderedAscending }.forEach { print($0) }
if search.readFiles == 0 {
  print("\(arguments[2]) has no index of the sources. Build first: swift build --build-tests")
}
exit(search.found.isEmpty && search.readFiles > 0 ? 0 : 1)
