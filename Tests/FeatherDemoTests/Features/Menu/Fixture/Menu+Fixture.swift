import Foundation

@testable import FeatherDemo

extension LoginResponse {
  static let fixture = LoginResponse(userId: "4711", name: "Ann")
  static let cannedResponse = #"{"userId": 4711, "name": "Ann"}"#
}

extension LotoResult {
  /// A result with all members.
  static let whole = LotoResult(
    draw: Draw(id: "1041", name: "Saturday"), drawingDate: Date(timeIntervalSince1970: 1_714_845_600),
    prizes: [Prize(id: "1", winners: 2)], numbers: [3, 14], extraNumber: 9)
  /// A result without its optional members.
  static let bare = LotoResult(
    draw: Draw(id: "1042-W", name: "Wednesday"), drawingDate: Date(timeIntervalSince1970: 1_715_191_200), prizes: nil,
    numbers: [2, 7], extraNumber: nil)

  static let cannedResponse = """
    [
      {
        "draw": { "id": 1041, "name": "Saturday" },
        "drawingDate": "2024-05-04T18:00:00Z",
        "prizes": [{ "id": 1, "winners": 2 }],
        "numbers": [3, 14],
        "extraNumber": 9
      },
      {
        "draw": { "id": "1042-W", "name": "Wednesday" },
        "drawingDate": "2024-05-08T18:00:00Z",
        "numbers": [2, 7]
      }
    ]
    """
}
