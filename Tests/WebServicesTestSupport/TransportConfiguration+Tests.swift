@testable import WebServicesTransport

extension TransportConfiguration {
  /// Without a proxy, and with timeouts that only a hang reaches. Many tests run at once, so each part of a test may
  /// wait for those of others.
  static var forTest: TransportConfiguration {
    var configuration = TransportConfiguration()
    configuration.proxy = .none
    configuration.timeouts = TransportRequest.Timeouts(connect: 240, idle: 240)
    return configuration
  }
}
