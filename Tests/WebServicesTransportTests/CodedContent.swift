import WebServicesTestSupport
#if os(Linux)
  /// The content that the tests compress.
  enum CodedContent {
    /// The text `feather 0 feather 1 …`, up to 399.
    static let text = Data((0..<400).map { "feather \($0) " }.joined().utf8)
  }
#endif
