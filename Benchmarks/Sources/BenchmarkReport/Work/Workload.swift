/// What the contenders do in one measurement.
package struct Workload: Hashable, Sendable {
  /// What one exchange is.
  package enum Exchange: Hashable, Sendable {
    /// A GET of the path, its JSON answer decoded.
    case fetch(path: String)
    /// A POST of so many bytes, its JSON answer decoded.
    case upload(bytes: Int)
    /// A GET of so many bytes, counted as they come and dropped.
    case download(bytes: Int)
  }

  /// What is looked at.
  package enum Subject: Hashable, Sendable {
    /// How much is done in a time.
    case speed
    /// How memory grows over many requests.
    case growth
    /// What many requests cost that all wait at once.
    case outstanding
  }

  /// Which of the two servers answers.
  package enum Server: Hashable, Sendable {
    /// The fastest that there is: nginx where the machine has it.
    case fast
    /// The package's own, which can wait, take uploads and count connections.
    case own
  }

  package let identifier: String
  package let title: String
  package let exchange: Exchange
  package let inFlight: Int
  package let subject: Subject
  package let server: Server

  package init(
    _ identifier: String, title: String, exchange: Exchange, inFlight: Int, subject: Subject = .speed,
    server: Server = .fast
  ) {
    self.identifier = identifier
    self.title = title
    self.exchange = exchange
    self.inFlight = inFlight
    self.subject = subject
    self.server = server
  }

  /// How much content one exchange moves, in megabytes, where that is what its speed is told in.
  package var megabytes: Double? {
    switch exchange {
    case .fetch: nil
    case .upload(let bytes), .download(let bytes): Double(bytes) / 1e6
    }
  }
}
