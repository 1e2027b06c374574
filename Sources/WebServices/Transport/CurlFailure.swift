#if os(Linux)
  internal import CurlShim

  /// What is known of a transfer that libcurl ended, and what it means.
  struct CurlFailure: Sendable {
    /// The `CURLcode`.
    var code: Int
    /// libcurl's own words.
    var message: String
    /// `errno` of the connection's failure; 0 for none.
    var systemError: Int32 = 0
    /// Whether a byte of the request was written to a connection to the server.
    var wasSent: Bool
    /// Whether the final head had come.
    var hasHead: Bool

    /// What the code means.
    var kind: TransportError.Kind {
      switch code {
      case 3, 43, 67: .invalidRequest
      // libcurl calls it a lack of memory when a head is larger than libcurl takes.
      case 27 where !hasHead: wasSent ? .tooLarge : .invalidRequest
      case 1: wasSent ? .notHTTPResponse : .invalidRequest
      case 5, 6: .nameLookup
      case 7: systemError == CurlFailure.networkUnreachable ? .notConnected : .cannotConnect
      case 97: .cannotConnect
      case 8: .badFraming
      case 16, 92: hasHead ? .truncated : wasSent ? .connectionLost : .badFraming
      case 18: .truncated
      case 61: .badEncoding
      case 28: .timedOut(.connect)
      case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .tls
      case 52, 55, 65: .connectionLost
      case 56: receivingKind
      case 63, 100: .tooLarge
      default: .other
      }
    }

    /// Code 56 stands for a bad chunk as well as for a reset.
    private var receivingKind: TransportError.Kind {
      if message.contains("Too large") { return .tooLarge }
      if message.contains("chunk") || message.contains("header") || message.contains("Content-Length") {
        return .badFraming
      }
      if message.contains("CONNECT") { return .cannotConnect }
      return hasHead ? .truncated : .connectionLost
    }

    /// Whether the request may have reached the server: never where no connection to it stood.
    var mayHaveReachedServer: Bool {
      switch kind {
      case .nameLookup, .cannotConnect, .notConnected, .invalidRequest, .timedOut(.connect): false
      case .tls: wasSent
      default: wasSent
      }
    }

    /// What is said of it.
    private var explanation: String {
      guard code == 27, !hasHead else { return message }
      return "the head of the \(wasSent ? "response" : "request") is larger than libcurl takes"
    }

    /// The error to report.
    func error(response: WebServiceResponse?) -> TransportError {
      TransportError(
        kind, message: explanation, mayHaveReachedServer: mayHaveReachedServer, response: response,
        underlying: CurlError(code: code, message: message))
    }

    private static let networkUnreachable: Int32 = 101
  }

  /// An error of libcurl's own.
  public struct CurlError: Error, Hashable, Sendable {
    /// The `CURLcode`.
    public let code: Int
    /// libcurl's own words.
    public let message: String
  }

  extension CurlError: CustomStringConvertible {
    /// The code and libcurl's words.
    public var description: String { "libcurl \(code): \(message)" }
  }
#endif
