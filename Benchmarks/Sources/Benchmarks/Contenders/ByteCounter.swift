import Foundation
import Synchronization
import WebServices

/// Counts the bytes of a response and drops them.
final class ByteCounter: TransportRequest.Receiver {
  private let bytes = Atomic(0)

  var count: Int { bytes.load(ordering: .acquiring) }

  func didReceive(head: WebServiceResponse) {}

  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    bytes.wrappingAdd(piece.count, ordering: .releasing)
    proceed()
  }
}
