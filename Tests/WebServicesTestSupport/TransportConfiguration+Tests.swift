@testable import WebServicesTransport

extension TransportConfiguration {
  /// Without a proxy, and with timeouts that only a hang reaches. All tests begin at once, so each part of a test may
  /// wait for those of all others.
  static var forTest: TransportConfiguration {
    var configuration = TransportConfiguration()
    configuration.proxy = .none
    configuration.timeouts = TransportRequest.Timeouts(connect: 240, idle: 240)
    return configuration
  }
}
