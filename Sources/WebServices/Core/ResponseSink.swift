package import Foundation

/// The end of a transfer.
package typealias TransferResult = Result<WebServiceResponse, TransportError>

extension TransferResult {
  /// The server's response. A response that broke off has its head.
  package var serverResponse: WebServiceResponse? {
    get {
      switch self {
      case .success(let response): response
      case .failure(let error): error.response
      }
    }
    set {
      if case .failure(var error) = self {
        error.response = newValue
        self = .failure(error)
      } else if let newValue {
        self = .success(newValue)
      }
    }
  }
}

/// Takes the body of a good response piece by piece, for a stream or a download.
///
/// The engine passes only responses with a status of success to a sink; other bodies stay in memory. The calls of one
/// transfer come one at a time, on a thread of the transport. An implementation returns at once and runs no code of a
/// caller. `transfer` grows with each transfer of a request, so that a sink can ignore a late call of an earlier
/// transfer.
package protocol ResponseSink: AnyObject, Sendable {
  /// `true` if the caller reads the bytes as they come. The request is then never sent again once a body has begun.
  var isStream: Bool { get }

  /// Called with the described request before it is sent. The request fails with the error that this throws.
  func prepare(_ request: TransportRequest) throws

  /// Called before each transfer. The sink may add header fields, and change the progress that the caller gets.
  func willSend(_ request: inout TransportRequest, transfer: Int)

  /// The head of a good response has come.
  ///
  /// - Parameter fail: ends the transfer with an error of the sink.
  func begin(_ head: WebServiceResponse, transfer: Int, fail: @escaping @Sendable (TransportError) -> Void)

  /// The next piece of the body has come. The transport waits until the sink calls `proceed`, on any thread.
  func receive(_ piece: Data, transfer: Int, proceed: @escaping @Sendable () -> Void)

  /// The transfer has ended.
  ///
  /// - Parameter done: called once the sink has taken all pieces, with the result, or with the sink's error if it
  ///   couldn't take them or needs more.
  func end(_ result: TransferResult, transfer: Int, then done: @escaping @Sendable (TransferResult) -> Void)

  /// Called when a transfer has ended without a good response. The sink may have the next transfer continue after its
  /// bytes, which is better than a retry from the first byte.
  ///
  /// - Returns: how many transfers failed before, which makes the pause before the next transfer longer; 0 for no
  ///   pause. `nil` if the sink doesn't continue.
  func resume(after result: TransferResult, method: HTTPMethod) -> Int?
}
