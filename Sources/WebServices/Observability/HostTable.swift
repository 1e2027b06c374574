/// Counts by host, found without a hash: there are few hosts, and most requests go to the one that the last went to.
struct HostTable: Sendable {
  private var names: [String] = []
  private(set) var hosts: [RequestMetricsSnapshot.Host] = []
  /// What is counted for requests without a host, and for hosts beyond the limit.
  private(set) var others = RequestMetricsSnapshot.Host()
  private var last = 0

  /// The counts by name.
  var named: [(name: String, host: RequestMetricsSnapshot.Host)] {
    zip(names, hosts).map { ($0, $1) }
  }

  /// Changes in place what is counted for a host, so that no histogram is copied.
  mutating func update(
    _ name: String, limit: Int, _ change: (inout RequestMetricsSnapshot.Host) -> Void
  ) {
    if last < names.count, names[last] == name { return change(&hosts[last]) }
    if let index = names.firstIndex(of: name) {
      last = index
    } else if !name.isEmpty, names.count < limit {
      last = names.count
      names.append(name)
      hosts.append(RequestMetricsSnapshot.Host())
    } else {
      return change(&others)
    }
    change(&hosts[last])
  }
}
