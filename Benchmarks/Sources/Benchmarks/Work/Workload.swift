/// The work of the contenders in one measurement.
struct Workload: Hashable, Sendable {
  /// The request that is sent repeatedly.
  enum Transfer: Hashable, Sendable {
    /// Sends a GET and decodes the JSON response.
    case fetch(path: String)
    /// Uploads this many bytes with a POST and decodes the JSON response.
    case upload(bytes: Int)
    /// Downloads this many bytes with a GET, counts them and drops them.
    case download(bytes: Int)
  }

  /// The property that is measured.
  enum Subject: Hashable, Sendable {
    /// The number of requests per second.
    case speed
    /// The growth of memory over many requests.
    case growth
    /// The cost of many requests that wait at the same time.
    case outstanding
  }

  /// The server that responds.
  enum Server: Hashable, Sendable {
    /// The fastest available server: nginx if the machine has it.
    case fast
    /// The package's own server, which can delay responses, accept uploads and count connections.
    case own
    /// nginx over TLS with HTTP/1.1.
    case tls
    /// nginx over TLS with HTTP/2.
    case http2

    var usesTLS: Bool { self == .tls || self == .http2 }
  }

  let identifier: String
  let title: String
  let transfer: Transfer
  let inFlight: Int
  let subject: Subject
  let server: Server

  init(
    _ identifier: String, title: String, transfer: Transfer, inFlight: Int, subject: Subject = .speed,
    server: Server = .fast
  ) {
    self.identifier = identifier
    self.title = title
    self.transfer = transfer
    self.inFlight = inFlight
    self.subject = subject
    self.server = server
  }

  /// The megabytes of content per request; `nil` for workloads whose speed is given in requests.
  var megabytes: Double? {
    switch transfer {
    case .fetch: nil
    case .upload(let bytes), .download(let bytes): Double(bytes) / 1e6
    }
  }
}
