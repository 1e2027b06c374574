#if os(Linux)
  import Foundation

  /// One transfer, from its admission to its end. It belongs to the thread that drives libcurl.
  final class CurlTransfer: CurlAdmissionItem {
    let task: CurlTask
    let plan: CurlRequestPlan
    /// The handle that the transfer runs on; `nil` while it waits or opens its body.
    var handle: CurlHandle?
    /// Reads the request's body ahead, where it isn't in memory.
    var source: CurlBodySource?
    /// Keeps a receiver from being overrun.
    var gate: CurlGate?

    var origin: CurlAdmission<CurlTransfer>.Origin?
    var place: Int?

    /// When it was resumed, in nanoseconds.
    let start: UInt64
    /// When a byte last came or went.
    var lastActivity: UInt64
    /// How many bytes had come and gone by libcurl's last count.
    var countedBytes: Int64 = 0

    var head = CurlHead()
    var body = Data()
    /// Bytes of content received, after decoding.
    var byteCount = 0
    /// When the body of a redirect that is followed isn't waited for any longer, in nanoseconds; `.max` for all others.
    var redirectDeadline = UInt64.max
    /// There where the content is decoded.
    var decoding: CurlDecoding?
    var isDecoding: Bool { decoding != nil }
    /// How often the request was about to go out.
    var requestCount = 0
    /// Whether libcurl would have sent the request again, since the connection that it had kept was closed.
    var wantedNewConnection: Bool { requestCount > 1 }
    /// Why the transfer is being ended from this side; libcurl's own code then says nothing.
    var failure: TransportError.Kind?
    var failureMessage = ""
    var failureCause: (any Error)?
    var failureWait: TransportWait?

    /// Whether the transfer has a connection, over which its request goes out.
    var hasOpened = false
    /// Until when other transfers wait for this one's connection, or its response; `.max` where none does.
    var openingDeadline = UInt64.max
    /// Whether the response is taken as it is, though libcurl hasn't ended the transfer: enough of a redirect's body has
    /// come, or libcurl began to send the request again.
    var isAnswered = false
    /// Whether libcurl has named the descriptor of the transfer's connection.
    var isWatched = false
    /// The content waits for a receiver.
    var isReceivingPaused = false
    /// The body waits for its source.
    var isSendingPaused = false
    /// Bytes of the body handed to libcurl.
    var sentCount: Int64 = 0
    var progress = CurlProgress()

    init(_ task: CurlTask, plan: CurlRequestPlan, now: UInt64) {
      self.task = task
      self.plan = plan
      start = now
      lastActivity = now
    }

    var isPaused: Bool { isReceivingPaused || isSendingPaused }

    /// The number of bytes in the request's body, where it is known.
    var bodyLength: Int64? {
      switch task.request.body {
      case .none: 0
      case .data(let data): Int64(data.count)
      case .file, .stream: source?.length
      }
    }

    /// Whether what has come is a redirect that is followed.
    var isFollowed: Bool { task.request.followsRedirects && head.isRedirect }

    /// When the whole transfer has to be over.
    var wholeDeadline: UInt64 {
      plan.wholeTimeout.map { start &+ $0 } ?? .max
    }

    /// Ends the transfer from this side, at the next call of libcurl's.
    func fail(_ kind: TransportError.Kind, _ message: String, cause: (any Error)? = nil) {
      guard failure == nil else { return }
      failure = kind
      failureMessage = message
      failureCause = cause
    }

    /// The response as far as it has come.
    func response(metrics: TransportMetrics?) -> WebServiceResponse? {
      guard head.isComplete else { return nil }
      var response = WebServiceResponse(
        statusCode: head.statusCode, headers: head.headers(isDecoded: isDecoding), url: task.request.urlForm,
        body: body, metrics: metrics)
      if isDecoding { response.isDecoded = true }
      return response
    }
  }

  /// The state of a transfer whose content is decoded.
  struct CurlDecoding {
    let decoder: ContentDecoder
    /// How many bytes the decoder has taken of those that libcurl keeps and will give again.
    var taken = 0
    /// Decoded bytes that the receiver isn't ready for.
    var held: Data?
    /// Whether the loop goes on with the decoding in its next turn.
    var isListed = false
  }

  /// The progress that was reported last, and when.
  struct CurlProgress {
    /// Nanoseconds between two reports.
    static let interval: UInt64 = 20_000_000

    private var last: UInt64 = 0
    private(set) var told: TransportProgress?

    /// Whether this is to be told now, which it then counts as. The first byte of a response doesn't wait: it may be the
    /// only one for long.
    mutating func isDue(_ value: TransportProgress, now: UInt64) -> Bool {
      guard value != told else { return false }
      let isFirstByte = value.received > 0 && (told?.received ?? 0) == 0
      guard isFirstByte || now &- last >= Self.interval else { return false }
      last = now
      told = value
      return true
    }
  }
#endif
