/// The text of Linux's `/proc/self/status`.
package enum ProcessStatus {
  /// The bytes of a field that is given in kB, such as `VmHWM`; `nil` where it isn't there.
  package static func bytes(of field: String, in text: String) -> Int? {
    for line in text.split(separator: "\n") where line.hasPrefix(field + ":") {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count == 3, words[2] == "kB", let kilobytes = Int(words[1]) else { return nil }
      return kilobytes * 1024
    }
    return nil
  }
}
