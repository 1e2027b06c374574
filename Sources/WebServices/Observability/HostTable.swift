/// Counts by host, found without a hash: there are few hosts, and most requests go to the one that the last went to.
struct HostTable: Sendable {
  private var names: [[UInt8]] = []
  private(set) var hosts: [RequestMetricsSnapshot.Host] = []
  /// What is counted for requests without a host, and for hosts beyond the limit.
  private(set) var others = RequestMetricsSnapshot.Host()
  private var last = 0

  /// The counts by name.
  var named: [(name: String, host: RequestMetricsSnapshot.Host)] {
    zip(names, hosts).map { (String(decoding: $0, as: UTF8.self), $1) }
  }

  /// Changes in place what is counted for a host, so that no histogram is copied.
  mutating func update(
    _ name: Slice<UnsafeBufferPointer<UInt8>>, limit: Int, _ change: (inout RequestMetricsSnapshot.Host) -> Void
  ) {
    if last < names.count, Self.equals(names[last], name) { return change(&hosts[last]) }
    if let index = names.indices.first(where: { Self.equals(names[$0], name) }) {
      last = index
    } else if !name.isEmpty, names.count < limit {
      last = names.count
      names.append(Array(name))
      hosts.append(RequestMetricsSnapshot.Host())
    } else {
      return change(&others)
    }
    change(&hosts[last])
  }

  private static func equals(_ left: [UInt8], _ right: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard left.count == right.count else { return false }
    var (index, other) = (0, right.startIndex)
    while index < left.count {
      guard left[index] == right[other] else { return false }
      index += 1
      other += 1
    }
    return true
  }
}
