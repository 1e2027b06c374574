#if os(Linux)
  /// The memory that the process uses.
  enum UsedMemory {
    /// Whether freed memory counts as used. The address sanitizer keeps it.
    static let includesFreed = dlsym(nil, "__asan_init") != nil

    /// The number of pages.
    static func pages() throws -> Int {
      // The file has no size, so `String` would read it as empty.
      let bytes = try #require(try FileHandle(forReadingAtPath: "/proc/self/statm")?.readToEnd())
      return try #require(Int(String(decoding: bytes, as: UTF8.self).split(separator: " ")[1]))
    }
  }
#endif
