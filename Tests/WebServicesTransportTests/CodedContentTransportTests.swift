@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  /// Compressed content over a real connection.
  @Suite(.timeLimit(.minutes(5)), .leavesNothing)
  struct CodedContentTransportTests {
    private static let whole: [(String, Data)] = [
      ("gzip", Compression.gzip(CodedContent.text)), ("deflate", Compression.zlib(CodedContent.text)),
      ("deflate", Compression.rawDeflate(CodedContent.text)), ("x-gzip", Compression.gzip(CodedContent.text)),
      ("gzip", Compression.gzip(CodedContent.text.prefix(100)) + Compression.gzip(CodedContent.text.dropFirst(100))),
    ]

    @Test func onlyWholeContentIsDecoded() async throws {
      let harness = try SocketHarness(.curl)
      for (coding, bytes) in Self.whole {
        for served in [LoopbackServer.Response.encoded(bytes, as: coding), .chunkwise(bytes, as: coding)] {
          let response = try #require(await harness.transfer(serving: served).response)
          expectEqual(response.body, CodedContent.text)
          #expect(response.headers["Content-Encoding"] == nil && response.headers["Content-Length"] == nil)
          expectEqual(response.metrics?.bytesReceived, Int64(bytes.count))
        }
      }
      expectEqual(harness.server.requests.first?.headers["Accept-Encoding"], "gzip, deflate")
      expectEqual(harness.server.connectionsAccepted, 1)
      for (coding, bytes) in Self.whole {
        let part = bytes.prefix(bytes.count - 3)
        for served in [LoopbackServer.Response.encoded(part, as: coding), .chunkwise(part, as: coding)] {
          let error = try #require(await harness.transfer(serving: served).error)
          #expect(error.kind == .truncated && error.response?.statusCode == 200)
          #expect(CodedContent.text.starts(with: error.response?.body ?? Data([0])))
        }
      }
    }

    @Test func aPartOfCodedContentIsNotDecoded() async throws {
      let harness = try SocketHarness(.curl)
      let part = Compression.gzip(CodedContent.text).dropFirst(20)
      let served = LoopbackServer.Response.data(
        Data(part), status: 206,
        headers: ["Content-Encoding": "gzip", "Content-Range": "bytes 20-\(part.count + 19)/*"])
      let response = try #require(await harness.transfer(serving: served) { $0.headers.range = .from(20) }.response)
      #expect(response.body == part && response.headers["Content-Encoding"] == "gzip" && !response.isDecoded)
    }

    @Test func responsesWithoutContentSucceed() async throws {
      let harness = try SocketHarness(.curl)
      let coded: HTTPHeaders = ["Content-Encoding": "gzip"]
      for status in [200, 204, 304] {
        expectEqual(await harness.transfer(serving: .status(status, headers: coded)).response?.statusCode, status)
      }
      // A 304 may announce the length of the content that it leaves out.
      for status in [204, 304] {
        let served = LoopbackServer.Response.status(status, headers: ["Content-Length": "9"])
        expectEqual(await harness.transfer(serving: served) { $0.responseLimit = 8 }.response?.statusCode, status)
      }
      harness.server.route(nil, "/", .gzip(CodedContent.text))
      let head = await harness.transfer(.head).response
      expectEqual(head?.headers["Content-Encoding"], "gzip")
    }

    @Test func slowReceiversHoldTheDecoderBack() async throws {
      let harness = try SocketHarness(.curl)
      let receiver = SlowReceiver()
      async let result = harness.transfer(serving: .decompressionBomb(megabytes: 20)) { $0.receiver = receiver }
      await receiver.pieces.waitForElements(1)
      harness.server.route(nil, "/other", .gzip(CodedContent.text))
      for _ in 0..<3 { expectEqual(await harness.transfer("/other").response?.body, CodedContent.text) }
      #expect(receiver.byteCount <= ContentDecoder.pieceSize)
      receiver.letGo()
      #expect(await result.response != nil)
      expectEqual(receiver.byteCount, 20 << 20)
    }

    /// libcurl has all bytes when the decoder refuses one of them in a later turn, so nothing else wakes the transfer.
    @Test func refusedContentThatHasArrivedFailsAtOnce() async throws {
      let harness = try SocketHarness(.curl)
      var wrongChecksum = Compression.gzipOfZeros(megabytes: 1)
      wrongChecksum[wrongChecksum.count - 8] ^= 1
      let rows: [(Data, TransportError.Kind)] = [
        (Compression.gzipOfZeros(megabytes: 3), .tooLarge), (wrongChecksum, .badEncoding),
      ]
      for (content, kind) in rows {
        // On a kept connection libcurl reads head and content at once.
        expectEqual(await harness.transfer(serving: .text("ok")).text, "ok")
        harness.server.route(nil, "/", .encoded(content, as: "gzip"))
        let request = TransportRequest(url: harness.server.url("/"), timeouts: .init(idle: 5), responseLimit: 2_000_000)
        let (result, seconds) = await harness.session.timed(request)
        expectEqual(result.error?.kind, kind)
        #expect(seconds < 5)
      }
    }

    /// Endless content keeps the decoder busy.
    @Test func otherRequestsRunWhileContentIsDecoded() async throws {
      let harness = try SocketHarness(.curl)
      let zeros = LoopbackServer.Step.repeated(Compression.gzipOfZeros(megabytes: 1), times: nil)
      harness.server.route(nil, "/", [.head(status: 200, headers: ["Content-Encoding": "gzip"]), zeros])
      harness.server.route(nil, "/other", .text("ok"))
      let ended = Collector<Void>()
      let transfers = (0..<4).map { _ in
        let receiver = SlowReceiver(isLetGo: true)
        var request = TransportRequest(url: harness.server.url("/"))
        request.receiver = receiver
        let task = harness.session.transferTask(with: request) { _ in ended.add() }
        task.resume()
        return (receiver: receiver, task: task)
      }
      for transfer in transfers { await transfer.receiver.pieces.waitForElements(100) }
      for _ in 0..<5 { expectEqual(await harness.transfer("/other").text, "ok") }
      expectEqual(ended.count, 0)
      transfers.forEach { $0.task.cancel() }
      await ended.waitForElements(transfers.count)
    }
  }

  extension LoopbackServer.Response {
    fileprivate static func chunkwise(_ bytes: Data, as coding: String) -> Self {
      let pieces = stride(from: 0, to: bytes.count, by: 97).map { bytes.dropFirst($0).prefix(97) }
      return .chunked(pieces.map { Data($0) }, headers: ["Content-Encoding": coding])
    }
  }
#endif
