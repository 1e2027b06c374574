@testable import WebServicesTestSupport
@testable import WebServicesCore

/// The parsers, validators and decoders of a configuration and of a request, in a whole service.
@Suite(.leavesNothing) struct ReadingTests {
  private let path = "/cities"

  /// The error body of the app's server.
  private struct ServerError: Decodable, Sendable {
    var code: Int
    var message: String
  }

  enum AppError: Error, Equatable {
    case unauthorized
    case refused(Int)
    case other
  }

  @Test func responseWithoutABodyNeedsNoMediaType() async throws {
    let harness = VirtualHarness.scripted(.status(200)) { $0.validators = [.contentTypes("video/*")] }
    expectEqual(try await harness.service.sendRequest(TestRequest(), parser: .response).statusCode, 200)
  }

  @Test
  @MainActor
  func parserValuesReachEveryForm() async throws {
    let service = VirtualHarness.scripted(.json(#"{"name": "Bath"}"#)).service
    let parser = ResponseParser.json(City.self).map(\.name).withResponse
    let onQueue = await withCheckedContinuation { continuation in
      service.sendRequest(TestRequest(), parser: parser, callbackQueue: .global()) {
        continuation.resume(returning: $0)
      }
    }
    let onMain = await withCheckedContinuation { continuation in
      service.sendRequest(TestRequest(), parser: parser) { result in
        MainActor.assertIsolated()
        continuation.resume(returning: result)
      }
    }
    let awaited = try await service.sendRequest(TestRequest(), parser: parser)
    expectEqual(try [onQueue.get(), onMain.get(), awaited].map(\.value), ["Bath", "Bath", "Bath"])
    expectEqual(try onMain.get().response.statusCode, 200)
  }

  @Test(
    arguments: [
      (401, "x", AppError.unauthorized), (400, #"{"code": 7, "message": "no"}"#, .refused(7)), (502, "", nil),
      (502, "<html>", nil),
    ] as [(Int, String, AppError?)])
  func firstRefusingValidatorGivesTheTypedError(status: Int, body: String, expected: AppError?) async {
    let harness = VirtualHarness.scripted(.json(body, status: status)) {
      // 401 is a case of its own, and every other error has the server's words.
      $0.validators = [
        ResponseValidator { if $0.statusCode == 401 { throw AppError.unauthorized } },
        .serverErrors(ServerError.self) { error, _ in AppError.refused(error.code) }, .successfulStatus,
      ]
      $0.errorBodyLimit = 10
    }
    let error = await harness.result(of: TestRequest()).error
    expectEqual(error?.underlying as? AppError, expected)
    #expect(error?.kind == .statusCode(status) && error?.phase == .judge && error?.statusCode == status)
    expectEqual(error?.response?.body, Data(body.utf8.prefix(10)))
    expectEqual(error?.message, expected == nil ? "" : "a validator refused the response")
  }

  @Test func requestValidatorsComeFirst() async {
    let asked = Collector<String>()
    let harness = VirtualHarness.scripted {
      $0.validators = [
        ResponseValidator { _ in
          asked.append("third")
          throw AppError.other
        },
        ResponseValidator { _ in asked.append("fourth") },
      ]
    }
    harness.session.script(.get, path, .json("{}"))
    let own = [
      ResponseValidator { _ in asked.append("first") },
      ResponseValidator { (_, _: JSONDecoder) in asked.append("second") },
    ]
    let error = await harness.result(of: TestRequest(options: RequestOptions { $0.validators = own })).error
    expectEqual(asked.elements, ["first", "second", "third"])
    expectEqual(error?.kind, .invalidResponse)
    expectEqual(error?.underlying(as: AppError.self), .other)
  }

  @Test func refusedSuccessStatusHasItsOwnKind() async {
    let harness = VirtualHarness.scripted(.json("{}", status: 201)) { $0.validators = [.statusCodes(200...200)] }
    expectEqual(await harness.result(of: TestRequest()).error?.kind, .statusCode(201))
  }

  @Test func mappedStatusSkipsValidators() async throws {
    let asked = Collector<Int>()
    let harness = VirtualHarness.scripted {
      $0.validators = [ResponseValidator { asked.append($0.statusCode) }, .successfulStatus]
    }
    harness.session.script(.get, path, .json("no city", status: 404))
    harness.session.script(.get, path, .json(#"{"name": "Bath"}"#))
    let parser = ResponseParser.json(City.self).optional(on: 404)
    expectEqual(try await harness.service.sendRequest(TestRequest(), parser: parser), nil)
    expectEqual(try await harness.service.sendRequest(TestRequest(), parser: parser), City(name: "Bath"))
    expectEqual(asked.elements, [200])
  }

  @Test func modelsBeforeAnUndecodableLineAreDelivered() async throws {
    let lines = Data("{\"name\": \"Bath\"}\n\n{\"name\": \"York\"}\n{\"name\": 5}\n{\"name\": \"Ely\"}".utf8)
    let harness = VirtualHarness.scripted(.data(lines))
    let names = Collector<String>()
    let error = await thrown {
      for try await city in try await harness.service.stream(TestRequest(), as: .jsonLines(City.self)) {
        names.append(city.name)
      }
    }
    expectEqual(error?.kind, .undecodableBody)
    expectEqual(error?.decodingFailure?.found?.contains("5"), true)
    expectEqual(names.elements, ["Bath", "York"])
  }

  @Test func decoderOfARequestOverridesTheConfigurations() async throws {
    struct Person: Decodable, Sendable { var firstName: String }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let harness = VirtualHarness.scripted(.json(#"{"first_name": "Bo"}"#))
    let own = TestRequest(options: RequestOptions { $0.decoder = decoder })
    expectEqual(try await harness.service.sendRequest(own, as: Person.self).firstName, "Bo")
    let error = await thrown { try await harness.service.sendRequest(TestRequest(), as: Person.self) }
    expectEqual(error?.kind, .undecodableBody)
  }
}
