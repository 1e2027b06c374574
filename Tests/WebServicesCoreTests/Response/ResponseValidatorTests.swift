import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct ResponseValidatorTests {
  private func response(
    _ body: String = "body", status: Int = 200, type: String? = nil
  ) -> WebServiceResponse {
    var response = WebServiceResponse(statusCode: status, url: URL(fileURLWithPath: "/"), body: Data(body.utf8))
    response.headers["Content-Type"] = type
    return response
  }

  @Test(arguments: [199, 200, 299, 300, 404, 599])
  func statusesAreChecked(status: Int) {
    let isTaken = (try? ResponseValidator.successfulStatus.validate(response(status: status))) != nil
    expectEqual(isTaken, (200...299).contains(status))
    #expect(throws: ResponseValidationError.statusCode(status)) {
      try ResponseValidator.statusCodes(100...100).validate(response(status: status))
    }
  }

  @Test func mediaTypesAreChecked() throws {
    let json = ResponseValidator.contentTypes("application/json", "image/*")
    try json.validate(response(type: "application/json; charset=utf-8"))
    try json.validate(response(type: "Image/PNG"))
    try json.validate(response(""))
    for type in ["text/html", "", "nonsense", "application/jsonx"] {
      #expect(
        throws: ResponseValidationError.contentType(type, accepted: ["application/json", "image/*"])
      ) { try json.validate(response(type: type)) }
    }
    #expect(throws: ResponseValidationError.contentType(nil, accepted: ["application/json", "image/*"])) {
      try json.validate(response())
    }
    #expect(throws: ResponseValidationError.self) {
      try ResponseValidator.contentTypes("no type").validate(response(type: "text/html"))
    }
  }

  @Test func headOfABodyThatFollowsNeedsAMediaType() throws {
    let video = ResponseValidator.contentTypes("video/*")
    var head = response("", type: "video/mp4")
    head.isHead = true
    try video.validate(head)
    for type in ["text/html", nil] {
      head.headers["Content-Type"] = type
      #expect(throws: ResponseValidationError.contentType(type, accepted: ["video/*"])) { try video.validate(head) }
    }
    head.headers["Content-Length"] = "0"
    try video.validate(head)
    head.headers["Content-Length"] = nil
    head.statusCode = 204
    try video.validate(head)
  }

  private struct ServerError: Decodable, Sendable { var code: Int }
  private enum AppError: Error, Equatable { case refused(Int, status: Int), unknown }

  @Test func serverErrorsAreMapped() throws {
    let plain = ResponseValidator.serverErrors(ServerError.self) { AppError.refused($0.code, status: $1.statusCode) }
    try plain.validate(response(#"{"code": 7}"#))
    try plain.validate(response("no json", status: 500))
    #expect(throws: AppError.refused(7, status: 400)) { try plain.validate(response(#"{"code": 7}"#, status: 400)) }
    let strict = ResponseValidator.serverErrors(ServerError.self, statusCodes: 500...599, otherwise: AppError.unknown) {
      AppError.refused($0.code, status: $1.statusCode)
    }
    try strict.validate(response("no json", status: 400))
    #expect(throws: AppError.unknown) { try strict.validate(response("no json", status: 500)) }
    struct Detail: Decodable, Sendable { var errorCode: Int }
    let detailed = ResponseValidator.serverErrors(Detail.self) { AppError.refused($0.errorCode, status: $1.statusCode) }
    let snake = JSONDecoder()
    snake.keyDecodingStrategy = .convertFromSnakeCase
    #expect(throws: AppError.refused(7, status: 400)) {
      try detailed.validate(response(#"{"error_code": 7}"#, status: 400), decoder: snake)
    }
  }

  @Test func refusalsDescribeThemselves() {
    expectEqual("\(ResponseValidationError.statusCode(404))", "the status 404 isn't accepted")
    expectEqual(
      "\(ResponseValidationError.contentType(nil, accepted: ["a/b", "c/d"]))",
      "the body is of no named type, not a/b or c/d")
  }
}
