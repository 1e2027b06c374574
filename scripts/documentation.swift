// Changes the files between `scripts/documentation` and docc.
//
//   graph FILE...      removes the symbols that types inherit from Swift and Foundation
//   landing FILE LIBRARY
//                      adds the first articles, of the library's page, to the page of the package
//   index FILE WORD... joins the lists of both modules, and fails unless the search finds each word in a title
import Foundation

typealias Entry = [String: Any]

/// Changes a JSON object in place.
func change(_ file: String, _ change: (inout Entry) throws -> Void) throws {
  let url = URL(fileURLWithPath: file)
  guard var content = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? Entry else { return }
  try change(&content)
  try JSONSerialization.data(withJSONObject: content, options: .sortedKeys).write(to: url)
}

func entries(_ value: Any?) -> [Entry] { value as? [Entry] ?? [] }

// MARK: Symbol graphs

/// Whether the symbol is inherited from another package, such as `!=`. Each would be a page without a text.
func isInherited(_ symbol: Any?) -> Bool {
  let parts = (symbol as? String ?? "").components(separatedBy: "::SYNTHESIZED::")
  return parts.count > 1 && !parts[0].contains("WebServices")
}

func removeInherited(from graph: inout Entry) {
  graph["symbols"] = entries(graph["symbols"]).filter { !isInherited(($0["identifier"] as? Entry)?["precise"]) }
  graph["relationships"] = entries(graph["relationships"]).filter { !isInherited($0["source"]) }
}

// MARK: The page of the package

/// The articles for each of the readers who may open the page. docc makes a page with the two modules alone.
let firstArticles = [
  ("Begin", ["GettingStarted", "ComingFromOthers", "WhatThereIs", "SupportedSystems"]),
  ("In an app or a tool", ["ShowingModels", "RunningOnLinux", "HandlingErrors", "UsingTokens"]),
  ("In a test", ["TestingRequests", "DesigningServices"]),
]

/// Adds the sentence of the library and the first articles, each with its own sentence.
func addArticles(to page: inout Entry, of library: Entry) throws {
  var references = page["references"] as? Entry ?? [:]
  let all = library["references"] as? Entry ?? [:]
  let sections = try firstArticles.map { title, names -> Entry in
    let identifiers = try names.map { name in
      guard let found = all.first(where: { $0.key.hasSuffix("/WebServices/\(name)") }) else {
        throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])
      }
      references[found.key] = found.value
      return found.key
    }
    return ["title": title, "identifiers": identifiers]
  }
  let modules = entries(page["topicSections"]).map { $0.merging(["title": "The modules"]) { $1 } }
  page["topicSections"] = sections + modules
  page["topicSectionsStyle"] = "list"
  page["references"] = references
  page["abstract"] = library["abstract"]
}

// MARK: The list of pages

/// A title with more characters is cut in the list.
let longestTitle = 32

/// The list shows, and the search finds, only what is below one module. Makes the doubles a part of the library's list.
func join(_ index: inout Entry) {
  var languages = index["interfaceLanguages"] as? [String: [Entry]] ?? [:]
  let modules = entries(languages["swift"]?.first?["children"])
  guard modules.count == 2, var library = modules.first, var doubles = modules.last else { return }
  // A node of the type `module` would get a list of its own again.
  doubles["type"] = "collection"
  library["children"] = entries(library["children"]) + [["type": "groupMarker", "title": "In a test"], doubles]
  languages["swift"] = [library]
  index["interfaceLanguages"] = languages
}

func titles(of type: String, in node: Entry) -> [String] {
  let own = node["type"] as? String == type ? [node["title"] as? String ?? ""] : []
  return entries(node["children"]).reduce(own) { $0 + titles(of: type, in: $1) }
}

/// What is wrong with the list. The search looks at titles alone.
func problems(of index: Entry, words: [String]) -> [String] {
  let lists = (index["interfaceLanguages"] as? Entry).map { entries($0["swift"]) } ?? []
  guard lists.count == 1, let list = lists.first else { return ["There are \(lists.count) lists of pages."] }
  let articles = titles(of: "article", in: list)
  let missing = words.filter { word in !articles.contains { $0.localizedCaseInsensitiveContains(word) } }
  return missing.map { "No article has \"\($0)\" in its title." }
    + articles.filter { $0.count > longestTitle }.map { "\"\($0)\" has more than \(longestTitle) characters." }
    + titles(of: "op", in: list).filter { $0.contains("!=") }.prefix(1).map { "There are inherited operators: \($0)" }
    + (titles(of: "class", in: list).contains("MockURLSession") ? [] : ["The doubles aren't in the list."])
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "graph":
  for file in arguments.dropFirst() { try change(file, removeInherited) }
case "landing":
  let data = try Data(contentsOf: URL(fileURLWithPath: arguments[2]))
  let library = try JSONSerialization.jsonObject(with: data) as? Entry ?? [:]
  try change(arguments[1]) { page in try addArticles(to: &page, of: library) }
case "index":
  var found: [String] = []
  try change(arguments[1]) { index in
    join(&index)
    found = problems(of: index, words: Array(arguments.dropFirst(2)))
  }
  for problem in found { print(problem) }
  exit(found.isEmpty ? 0 : 1)
default:
  exit(2)
}
