#if canImport(Darwin)
  import Foundation

  extension TransportMetrics {
    /// What Foundation measured of the last transaction; there is one where no redirect is followed.
    init?(_ metrics: URLSessionTaskMetrics) {
      guard let transaction = metrics.transactionMetrics.last else { return nil }
      let start = metrics.taskInterval.start
      func seconds(_ date: Date?) -> TimeInterval? { date.map { $0.timeIntervalSince(start) } }
      func address(_ host: String?, _ port: Int?) -> String? {
        guard let host, let port else { return nil }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
      }
      self.init(
        nameLookup: seconds(transaction.domainLookupEndDate), connect: seconds(transaction.connectEndDate),
        tls: seconds(transaction.secureConnectionEndDate), firstByte: seconds(transaction.responseStartDate),
        total: metrics.taskInterval.duration,
        localAddress: address(transaction.localAddress, transaction.localPort),
        remoteAddress: address(transaction.remoteAddress, transaction.remotePort),
        httpVersion: Self.names[transaction.networkProtocolName ?? ""],
        isReusedConnection: transaction.isReusedConnection)
    }

    private static let names = ["http/1.0": "HTTP/1.0", "http/1.1": "HTTP/1.1", "h2": "HTTP/2", "h3": "HTTP/3"]
  }
#endif
