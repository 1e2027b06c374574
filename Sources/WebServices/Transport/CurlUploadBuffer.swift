#if os(Linux)
  /// How large the buffer is from which libcurl sends a body; libcurl has it for as long as the exchange takes.
  ///
  /// Each filling costs a turn, a call of the system and often a wake-up of the server: 1 MB that fits at once takes two
  /// thirds of the time of 1 MB in eight pieces.
  enum CurlUploadBuffer {
    /// Bytes, for what isn't known to gain from more.
    static let usual = 128 * 1024
    static let most = 1024 * 1024
    /// What the exchanges under way share, as far as each has more than the usual size.
    static let shared = 4 * 1024 * 1024

    /// The size for a body in memory.
    ///
    /// - Parameters:
    ///   - length: the body's, in bytes; it needs no more than that.
    ///   - count: how many exchanges there are, this one included.
    static func size(forBodyOf length: Int, among count: Int) -> Int {
      min(length, max(usual, min(most, shared / max(1, count))))
    }
  }
#endif
