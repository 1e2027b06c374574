/// Parses Linux's `/proc/self/status`.
package enum ProcessStatus {
  /// The bytes of a field in kB, such as `VmHWM`; `nil` if the field is missing.
  package static func bytes(of field: String, in text: String) -> Int? {
    for line in text.split(separator: "\n") where line.hasPrefix(field + ":") {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count == 3, words[2] == "kB", let kilobytes = Int(words[1]) else { return nil }
      return kilobytes * 1024
    }
    return nil
  }
}
