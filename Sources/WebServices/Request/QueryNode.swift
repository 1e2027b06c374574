/// What a value has encoded so far: a tree, so that members stay in their order however the containers were used.
///
/// It lives on the one thread that encodes.
final class QueryNode {
  enum Content {
    /// Nothing yet, or `nil`.
    case nothing
    case value(String)
    case keyed
    case unkeyed
  }

  struct Member {
    let name: String
    let node: QueryNode
  }

  private(set) var content = Content.nothing
  /// The members of a keyed node, in the order of their first encoding.
  private(set) var members: [Member] = []
  /// The elements of an unkeyed node.
  private(set) var elements: [QueryNode] = []
  private var places: [String: Int] = [:]

  /// Whether the value could be taken: a node that has something else already takes none.
  func setValue(_ text: String) -> Bool {
    guard case .nothing = content else { return false }
    content = .value(text)
    return true
  }

  /// A subclass asks for a keyed container a second time, and goes on with its superclass's.
  func becomeKeyed() -> Bool {
    if case .nothing = content { content = .keyed }
    if case .keyed = content { return true }
    return false
  }

  func becomeUnkeyed() -> Bool {
    if case .nothing = content { content = .unkeyed }
    if case .unkeyed = content { return true }
    return false
  }

  /// A new node for the name; of a name that is encoded twice the last value counts, in the place of the first.
  func addMember(_ name: String) -> QueryNode {
    let node = QueryNode()
    if let place = places[name] {
      members[place] = Member(name: name, node: node)
    } else {
      places[name] = members.count
      members.append(Member(name: name, node: node))
    }
    return node
  }

  /// The node of the name, for a container that is asked for more than once.
  func member(_ name: String) -> QueryNode {
    places[name].map { members[$0].node } ?? addMember(name)
  }

  func addElement() -> QueryNode {
    let node = QueryNode()
    elements.append(node)
    return node
  }

  /// Gives the members of a dictionary an order that is the same in each run.
  func sortMembers() {
    members.sort { $0.name < $1.name }
    for (place, member) in members.enumerated() { places[member.name] = place }
  }

  /// Gives the elements of a set an order that is the same in each run.
  func sortElements() {
    func text(_ node: QueryNode) -> String { if case .value(let text) = node.content { text } else { "" } }
    elements.sort { text($0) < text($1) }
  }
}
