/// The services that ask a manager for tokens. They hold it, so it must not hold them.
struct AttachedServices: Sendable {
  private struct Reference: Sendable {
    weak var service: (any JsonWebServiceable)?
  }

  private var references: [Reference] = []

  /// Those that are still there, in the order in which they were made.
  var all: [any JsonWebServiceable] { references.compactMap(\.service) }

  /// The one that was made last of those that are still there.
  var last: (any JsonWebServiceable)? { references.last { $0.service != nil }?.service }

  mutating func append(_ service: any JsonWebServiceable) {
    references.removeAll { $0.service == nil || $0.service === service }
    references.append(Reference(service: service))
  }
}
