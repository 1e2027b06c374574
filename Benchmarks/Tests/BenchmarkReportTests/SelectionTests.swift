import BenchmarkReport
import Testing

@Suite struct SelectionTests {
  private let workloads = ["json-976-1", "json-tls-1", "json-h2-1"].compactMap(Workload.named)
  private let contenders = [
    ContenderName("session", title: "", family: .foundation, scope: .cleartext),
    ContenderName("loop", title: "", family: .libcurl, scope: .fetches),
  ]

  @Test func tlsWorkloadsNeedAServer() {
    let selection = Selection(workloads: workloads, contenders: contenders, hasTLS: false)
    #expect(selection.workloads.map(\.identifier) == ["json-976-1"])
    #expect(selection.omissions.count == 1)
    #expect(selection.omissions[0].hasPrefix("Left out: json-tls-1, json-h2-1 (they need nginx"))
  }

  @Test func contendersThatCannotRunAWorkloadAreNamed() {
    let selection = Selection(workloads: workloads, contenders: contenders, hasTLS: true)
    #expect(selection.workloads == workloads)
    #expect(selection.omissions.count == 1)
    #expect(selection.omissions[0].hasPrefix("Left out: session (on workloads over TLS"))
    #expect(Selection(workloads: [workloads[0]], contenders: contenders, hasTLS: true).omissions.isEmpty)
  }
}
