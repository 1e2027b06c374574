/// The selected workloads that the machine can run, and a sentence for everything that is left out.
package struct Selection: Hashable, Sendable {
  package let workloads: [Workload]
  package let omissions: [String]

  /// - Parameter hasTLS: whether there is a server for the workloads over TLS.
  package init(workloads: [Workload], contenders: [ContenderName], hasTLS: Bool) {
    let runnable = workloads.filter { hasTLS || !$0.server.usesTLS }
    self.workloads = runnable
    let skipped = workloads.filter { !runnable.contains($0) }.map(\.identifier)
    func unable(_ scope: ContenderName.Scope) -> [String] {
      contenders.filter { contender in
        contender.scope == scope && runnable.contains { !contender.canRun($0) }
      }.map(\.identifier)
    }
    omissions = [
      Self.omission(skipped, "they need nginx with TLS and the openssl command, which this run doesn't have"),
      Self.omission(
        unable(.cleartext), "on workloads over TLS, `URLSession` trusts only the system's certificates on Linux"),
      Self.omission(unable(.fetches), "on uploads and downloads, a loop that only fetches"),
    ].compactMap(\.self)
  }

  private static func omission(_ names: [String], _ reason: String) -> String? {
    names.isEmpty ? nil : "Left out: \(names.joined(separator: ", ")) (\(reason))."
  }
}
