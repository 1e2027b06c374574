// Written by hand in the form that swift-openapi-generator makes, without the parts that the program doesn't use.
@_spi(Generated) import OpenAPIRuntime

/// The operations of the API.
protocol APIProtocol: Sendable {
  /// `GET /jokes/{id}`
  func getJoke(_ input: Operations.GetJoke.Input) async throws -> Operations.GetJoke.Output
  /// `POST /jokes`
  func addJoke(_ input: Operations.AddJoke.Input) async throws -> Operations.AddJoke.Output
  /// `PUT /jokes/{id}/recording`
  func uploadRecording(_ input: Operations.UploadRecording.Input) async throws -> Operations.UploadRecording.Output
  /// `GET /jokes/{id}/recording`
  func playRecording(_ input: Operations.PlayRecording.Input) async throws -> Operations.PlayRecording.Output
}

/// The models.
enum Components {
  enum Schemas {
    struct Joke: Codable, Hashable, Sendable {
      var text: String
    }

    struct Problem: Codable, Hashable, Sendable {
      var title: String
    }
  }
}

/// The inputs and outputs of the operations.
enum Operations {
  enum GetJoke {
    static let id = "getJoke"

    struct Input: Sendable, Hashable {
      struct Path: Sendable, Hashable {
        var id: String
      }

      struct Headers: Sendable, Hashable {
        var accept: [AcceptHeaderContentType<AcceptableContentType>] = .defaultValues()
      }

      var path: Path
      var headers = Headers()
    }

    enum Output: Sendable, Hashable {
      struct Ok: Sendable, Hashable {
        enum Body: Sendable, Hashable {
          case json(Components.Schemas.Joke)

          var json: Components.Schemas.Joke {
            get throws {
              switch self {
              case .json(let body): return body
              }
            }
          }
        }

        var body: Body
      }

      struct NotFound: Sendable, Hashable {
        enum Body: Sendable, Hashable {
          case json(Components.Schemas.Problem)

          var json: Components.Schemas.Problem {
            get throws {
              switch self {
              case .json(let body): return body
              }
            }
          }
        }

        var body: Body
      }

      case ok(Ok)
      case notFound(NotFound)
      case undocumented(statusCode: Int, UndocumentedPayload)

      var ok: Ok {
        get throws {
          if case .ok(let response) = self { return response }
          try throwUnexpectedResponseStatus(expectedStatus: "ok", response: self)
        }
      }

      var notFound: NotFound {
        get throws {
          if case .notFound(let response) = self { return response }
          try throwUnexpectedResponseStatus(expectedStatus: "notFound", response: self)
        }
      }
    }

    enum AcceptableContentType: String, AcceptableProtocol {
      case json = "application/json"
    }
  }

  enum AddJoke {
    static let id = "addJoke"

    struct Input: Sendable, Hashable {
      struct Headers: Sendable, Hashable {
        var accept: [AcceptHeaderContentType<AcceptableContentType>] = .defaultValues()
      }

      enum Body: Sendable, Hashable {
        case json(Components.Schemas.Joke)
      }

      var headers = Headers()
      var body: Body
    }

    enum Output: Sendable, Hashable {
      struct Created: Sendable, Hashable {
        enum Body: Sendable, Hashable {
          case json(Components.Schemas.Joke)

          var json: Components.Schemas.Joke {
            get throws {
              switch self {
              case .json(let body): return body
              }
            }
          }
        }

        var body: Body
      }

      case created(Created)
      case undocumented(statusCode: Int, UndocumentedPayload)

      var created: Created {
        get throws {
          if case .created(let response) = self { return response }
          try throwUnexpectedResponseStatus(expectedStatus: "created", response: self)
        }
      }
    }

    enum AcceptableContentType: String, AcceptableProtocol {
      case json = "application/json"
    }
  }

  enum UploadRecording {
    static let id = "uploadRecording"

    struct Input: Sendable, Hashable {
      struct Path: Sendable, Hashable {
        var id: String
      }

      enum Body: Sendable, Hashable {
        case binary(HTTPBody)
      }

      var path: Path
      var body: Body
    }

    enum Output: Sendable, Hashable {
      struct NoContent: Sendable, Hashable {}

      case noContent(NoContent)
      case undocumented(statusCode: Int, UndocumentedPayload)
    }
  }

  enum PlayRecording {
    static let id = "playRecording"

    struct Input: Sendable, Hashable {
      struct Path: Sendable, Hashable {
        var id: String
      }

      struct Headers: Sendable, Hashable {
        var accept: [AcceptHeaderContentType<AcceptableContentType>] = .defaultValues()
      }

      var path: Path
      var headers = Headers()
    }

    enum Output: Sendable, Hashable {
      struct Ok: Sendable, Hashable {
        enum Body: Sendable, Hashable {
          case binary(HTTPBody)

          var binary: HTTPBody {
            get throws {
              switch self {
              case .binary(let body): return body
              }
            }
          }
        }

        var body: Body
      }

      case ok(Ok)
      case undocumented(statusCode: Int, UndocumentedPayload)

      var ok: Ok {
        get throws {
          if case .ok(let response) = self { return response }
          try throwUnexpectedResponseStatus(expectedStatus: "ok", response: self)
        }
      }
    }

    enum AcceptableContentType: String, AcceptableProtocol {
      case binary = "application/octet-stream"
    }
  }
}
