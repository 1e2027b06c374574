import Foundation
import WebServices

/// The result of a lottery draw. Members that the server may omit are optional: a default would look like a value from
/// the server.
struct LotoResult: Codable, Equatable, Sendable {
  let draw: Draw
  let drawingDate: Date
  let prizes: [Prize]?
  let numbers: [Int]
  let extraNumber: Int?
}

/// The draw that a result belongs to.
struct Draw: Codable, Equatable, Sendable {
  let id: ServerID
  let name: String
}

/// One prize of a draw.
struct Prize: Codable, Equatable, Sendable {
  let id: ServerID
  let winners: Int
}
