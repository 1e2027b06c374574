import Foundation
import WebServices

/// What came out of a draw. What the server may leave out is optional, and has no default that would look like an answer.
struct LotoResult: Decodable, Equatable, Sendable {
  let draw: Draw
  let drawingDate: Date
  let prizes: [Prize]?
  let numbers: [Int]
  let extraNumber: Int?
}

/// A draw.
struct Draw: Decodable, Equatable, Sendable {
  @StringID var id: String
  let name: String
}

/// What can be won.
struct Prize: Decodable, Equatable, Sendable {
  @StringID var id: String
  let winners: Int
}
