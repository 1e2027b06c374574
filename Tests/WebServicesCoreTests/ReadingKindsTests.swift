import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The kinds of content that a service reads: text, problem details, JSON, lines of JSON and server-sent events.
@Suite(.leavesNothing) struct ReadingKindsTests {
  private let harness = VirtualHarness.scripted()
  private let path = "/cities"

  private func script(_ body: Data, type: String, status: Int = 200) {
    harness.session.script(.get, path, .response(status: status, headers: ["Content-Type": type], body: body))
  }

  @Test func textFollowsItsCharset() async throws {
    script(Data([0x5A, 0xFC, 0x72, 0x69]), type: "text/plain; charset=iso-8859-1")
    #expect(try await harness.service.sendRequest(TestRequest(), parser: .text) == "Züri")
  }

  @Test func malformedTextIsAnError() async throws {
    script(Data([0x5A, 0xFC]), type: "text/plain; charset=utf-8")
    await #expect {
      try await harness.service.sendRequest(TestRequest(), parser: .text)
    } throws: { error in
      let error = error as? WebServiceError
      return error?.kind == .undecodableBody && error?.underlying(as: TextDecodingError.self) != nil
    }
  }

  @Test func problemDetailsAreTheUnderlyingError() async throws {
    script(
      Data(#"{"type": "/credit", "title": "No credit.", "status": 403, "detail": "You have 30.", "balance": 30}"#.utf8),
      type: "application/problem+json", status: 403)
    let request = TestRequest(options: RequestOptions { $0.validators = [.problemDetails] })
    let error = await harness.result(of: request).error
    #expect(error?.kind == .statusCode(403))
    let problem = error?.underlying(as: ProblemDetails.self)
    #expect(problem?.title == "No credit.")
    #expect(problem?["balance"] == .integer(30))
    #expect(error?.description.contains("You have 30.") == true)
  }

  @Test func decodingFailureNamesPlaceAndTypes() async throws {
    script(Data(#"{"id": 3, "name": 17, "password": "hunter22"}"#.utf8), type: "application/json")
    let error = await harness.result(of: TestRequest()).error
    #expect(error?.codingPath == ["name"])
    #expect(error?.decodingFailure?.codingPath == "name")
    #expect(error?.decodingFailure?.found?.contains("17") == true)
    let words = error?.description ?? ""
    #expect(words.contains("at name: expected") && words.contains(#""id": 3"#), "\(words)")
    #expect(!words.contains("hunter22"))
  }

  @Test func linesBeforeAnUndecodableOneAreDelivered() async throws {
    script(Data("one\r\ntwo\nthree".utf8), type: "text/plain")
    script(
      Data("{\"name\": \"Bath\"}\n\n{\"name\": \"York\"}\n{\"name\": 5}\n{\"name\": \"Ely\"}".utf8),
      type: "application/x-ndjson")
    var lines: [String] = []
    for try await line in try await harness.service.stream(TestRequest(), as: .lines) { lines.append(line) }
    #expect(lines == ["one", "two", "three"])
    var cities: [City] = []
    do {
      for try await city in try await harness.service.stream(TestRequest(), as: .jsonLines(City.self)) {
        cities.append(city)
      }
      Issue.record("the third line isn't a city")
    } catch {
      #expect(error.kind == .undecodableBody)
      #expect(error.decodingFailure?.found?.contains("5") == true)
    }
    #expect(cities.map(\.name) == ["Bath", "York"])
  }

  @Test func eventCallbacksAreSerialAndEndOnce() async throws {
    script(Data("event: tick\ndata: 1\n\ndata: 2\n\n".utf8), type: "text/event-stream")
    let events = Collector<ServerSentEvent>()
    let ends = Collector<Int?>()
    harness.service.stream(
      TestRequest(), as: .serverSentEvents, callbackQueue: DispatchQueue(label: "test"),
      onElement: { events.append($0) }, completion: { ends.append((try? $0.get())?.statusCode) })
    await ends.waitForElements(1)
    #expect(events.elements.map(\.event) == ["tick", "message"])
    #expect(ends.elements == [200])
  }
}
