/// Copies of a file's open descriptors, as a process that is just being started has them. Close them after the test.
func descriptorCopies(ofFile path: String) -> [Int32] {
  (0..<Int32(1024)).filter { descriptor in
    let link = "/proc/self/fd/\(descriptor)"
    return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == path
  }.map { dup($0) }
}
