extension Workload {
  /// All workloads in the order of the report.
  static let all: [Workload] = [
    smallFetch(inFlight: 1), smallFetch(inFlight: 16), smallFetch(inFlight: 64),
    smallFetch(inFlight: 1, .tls), smallFetch(inFlight: 16, .tls), smallFetch(inFlight: 64, .tls),
    smallFetch(inFlight: 1, .http2), smallFetch(inFlight: 16, .http2), smallFetch(inFlight: 64, .http2),
    largeFetch(inFlight: 1), largeFetch(inFlight: 16), largeFetch(inFlight: 64),
    Workload(
      "upload-1m", title: "Upload of 1 MB, one at a time", transfer: .upload(bytes: 1_000_000), inFlight: 1,
      server: .own),
    Workload(
      "download-100m", title: "Download of 100 MB, one at a time", transfer: .download(bytes: 100_000_000),
      inFlight: 1),
    Workload(
      "delay-50ms-64", title: "976-byte JSON from a server 50 ms away, 64 in flight",
      transfer: .fetch(path: "delay/50"), inFlight: 64, server: .own),
    Workload(
      "outstanding", title: "10,000 requests outstanding at once", transfer: .fetch(path: "jokes"),
      inFlight: 10_000, subject: .outstanding, server: .own),
    Workload(
      "growth", title: "Growth of memory, one request at a time", transfer: .fetch(path: "jokes"),
      inFlight: 1,
      subject: .growth, server: .own),
  ]

  /// The workloads of each command that measures some of them.
  static let selections: [String: [Workload]] = [
    "run": all,
    "quick": all.filter { ["json-976-1", "json-976-16"].contains($0.identifier) },
    "concurrency": concurrency,
    "growth": all.filter { $0.subject == .growth },
    "outstanding": all.filter { $0.subject == .outstanding },
  ]

  /// Small responses at each number of requests in flight, over each protocol.
  private static let concurrency = all.filter { $0.transfer == .fetch(path: "jokes") && $0.server != .own }

  /// The workload with this name; `nil` if there is none.
  static func named(_ identifier: String) -> Workload? {
    all.first { $0.identifier == identifier }
  }

  private static func smallFetch(inFlight: Int, _ server: Server = .fast) -> Workload {
    let (name, wire) =
      switch server {
      case .fast, .own: ("json-976", "")
      case .tls: ("json-tls", " over TLS, HTTP/1.1")
      case .http2: ("json-h2", " over TLS, HTTP/2")
      }
    return Workload(
      "\(name)-\(inFlight)", title: "976-byte JSON\(wire), \(wording(inFlight))", transfer: .fetch(path: "jokes"),
      inFlight: inFlight, server: server)
  }

  private static func largeFetch(inFlight: Int) -> Workload {
    Workload(
      "json-64k-\(inFlight)", title: "64-KB JSON, \(wording(inFlight))", transfer: .fetch(path: "jokes-64k"),
      inFlight: inFlight)
  }

  private static func wording(_ inFlight: Int) -> String {
    inFlight == 1 ? "one at a time" : "\(inFlight) in flight"
  }
}
