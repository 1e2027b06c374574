import Foundation

/// Takes a good answer in pieces, on a thread of the transport's: it returns at once.
protocol AnswerReader: Sendable {
  func receive(head: WebServiceResponse)
  func receive(_ piece: Data, proceed: @escaping @Sendable () -> Void)
  /// No more comes: says whether all of it could be taken, once that is known.
  func close(then done: @escaping @Sendable (TransportError?) -> Void)
}
