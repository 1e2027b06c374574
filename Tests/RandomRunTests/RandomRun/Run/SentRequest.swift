import Foundation
import WebServices

/// The request of a call.
struct SentRequest: WebServiceRequestData {
  var call: CallPlan
  /// The client's origin, which may receive the secrets.
  var origin: Int
  var file: URL

  static let ownField = "X-Own-Token"

  var path: String { call.path }
  var method: HTTPMethod { HTTPMethod(rawValue: call.method) }

  var queryItems: [URLQueryItem] {
    call.hasSecretInQuery ? [URLQueryItem(name: "api_key", value: secret(3).text)] : []
  }

  var authorization: WebServiceAuthorizationType {
    switch call.authorization {
    case .none: .none
    case .apiToken: .apiToken
    case .header: .header(named: Self.ownField)
    case .bearer: .bearer
    case .basic: .basic(user: "us", password: secret(4).text)
    case .signer:
      .custom(
        RequestSigner(named: "own", needsToken: true) { _, token in ["X-Signed": "by \(token?.value ?? "")"] })
    }
  }

  var options: RequestOptions {
    RequestOptions {
      $0.timeout = call.timeout
      $0.isIdempotent = call.isDeclaredIdempotent ? true : nil
      $0.deadline = call.deadline
    }
  }

  private func secret(_ number: Int) -> Secret { Secret(home: origin, number: number) }

  var body: RequestBody? {
    let password = secret(5).text
    switch call.body {
    case .none: return nil
    case .json: return ["password": password, "number": call.number]
    case .form: return .form([URLQueryItem(name: "name", value: "n"), URLQueryItem(name: "password", value: password)])
    case .xml: return data("<a><password>\(password)</password></a>", "application/xml")
    case .multipart:
      return .multipart(
        MultipartBody([.field("password", password), .data("part", Data(repeating: 0, count: 300))]))
    case .largeJSON:
      let filler = String(repeating: "x", count: 300_000)
      return data(#"{"filler":"\#(filler)","password":"\#(password)"}"#, "application/json")
    case .compressed: return RequestBody.json(["password": password]).compressed()
    case .opaque: return .data(Data(repeating: 0xFF, count: 2000), contentType: "application/octet-stream")
    case .file: return .file(file)
    case .stream: return .stream(Filler(count: 5000, isReplayable: true), contentType: "application/octet-stream")
    case .streamOnce: return .stream(Filler(count: 5000, isReplayable: false), contentType: "application/octet-stream")
    }
  }

  private func data(_ text: String, _ type: String) -> RequestBody { .data(Data(text.utf8), contentType: type) }
}

/// A body of bytes that are generated while they are sent.
struct Filler: TransportBody.Stream {
  var count: Int
  var isReplayable: Bool
  var length: Int64? { isReplayable ? Int64(count) : nil }

  func makeReader() -> any TransportBody.Reader { Reader(count) }

  private final class Reader: TransportBody.Reader {
    private let rest: Guarded<Int>

    init(_ count: Int) {
      rest = Guarded(count)
    }

    func read(upTo count: Int) -> Data {
      rest.withLock { rest in
        let portion = min(rest, count)
        rest -= portion
        return Data(repeating: 0xFE, count: portion)
      }
    }

    func close() {}
  }
}
