extension Check {
  /// Promise 5: a secret reaches no other origin.
  static let secretsStayAtHome = Check(promise: "no secret comes to another origin") { _, record in
    record.receptions.compactMap { reception in
      let strangers = reception.secrets.filter { $0.home != reception.origin }
      guard !strangers.isEmpty else { return nil }
      let names = strangers.map(\.text).sorted().joined(separator: ", ")
      return "\(reception.method) \(reception.path) brought \(names) to origin \(reception.origin)"
    }
  }

  /// Promise 5: no text of the library contains a secret.
  static let textsHaveNoSecret = Check(promise: "no secret stands in a text") { _, record in
    record.entries.compactMap { entry in
      guard case .leaked(let source, let secrets, let excerpt) = entry.sight else { return nil }
      return "\(source): \(secrets.map(\.text).sorted().joined(separator: ", ")) in \"\(excerpt)\""
    }
  }
}
