extension Check {
  /// No descriptor, thread, task, timer or file is left after the run.
  static let nothingIsLeft = Check(promise: "nothing is left at the end") { _, record in
    record.entries.compactMap { entry in
      guard case .left(let what) = entry.sight else { return nil }
      return what
    }
  }

  /// Promise 7: no server can fill the memory.
  static let memoryIsBounded = Check(promise: "memory is bounded") { _, record in
    guard let growth = record.growth, growth > memoryLimit else { return [] }
    return ["the process grew by \(growth >> 20) MB"]
  }

  private static let memoryLimit = 150 << 20
}
