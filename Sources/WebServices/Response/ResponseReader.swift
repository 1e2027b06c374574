import Foundation

/// The station that makes a model of an accepted answer.
struct ResponseReader<Model: Sendable>: Sendable {
  private let decode: @Sendable (Data) throws -> Model

  /// Reads JSON.
  static func json(_ decoder: JSONDecoder) -> ResponseReader where Model: Decodable {
    ResponseReader { data in try decoder.decode(Model.self, from: data) }
  }

  /// The model, or `nil` where the answer has no body.
  func read(_ response: WebServiceResponse) throws -> Model? {
    response.body.isEmpty ? nil : try decode(response.body)
  }
}
