import BenchmarkReport
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct RenderingTests {
  @Test(
    arguments: [
      (0.0, 0, "0"), (999, 0, "999"), (1000, 0, "1,000"), (1_234_567.891, 2, "1,234,567.89"), (-1234.5, 1, "-1,234.5"),
      (-0.001, 2, "0.00"), (.infinity, 1, "–"),
    ] as [(Double, Int, String)])
  func numbersAreFormatted(value: Double, digits: Int, text: String) {
    #expect(NumberText.fixed(value, digits: digits) == text)
  }

  @Test func shortNumbersHaveThreeDigits() {
    #expect(NumberText.short(1.2345) == "1.23")
    #expect(NumberText.short(12.345) == "12.3")
    #expect(NumberText.short(12_345.6) == "12,346")
    #expect(NumberText.short(nil) == "–")
  }

  @Test func shareIsAPercentage() {
    #expect(NumberText.percent(0.874) == "87%")
    #expect(NumberText.percent(1) == "100%")
    #expect(NumberText.percent(.nan) == "–")
    #expect(NumberText.percent(nil) == "–")
  }

  @Test func tableFillsShortRows() {
    var table = MarkdownTable(["client", "figure"])
    table.add(["a|b"])
    table.add(["c", "1", "too much"])
    #expect(table.text == "| client | figure |\n| --- | ---: |\n| a\\|b |  |\n| c | 1 |\n")
  }

  @Test func longestBarTakesAllTheRoom() {
    let bars = [4.0, 1, 0, -1].map { BarChart.Bar(label: "", value: $0, text: "", style: "") }
    #expect(BarChart(title: "", caption: "", bars: bars).shares == [1, 0.25, 0, 0])
    #expect(BarChart(title: "", caption: "", bars: []).shares.isEmpty)
  }

  @Test func pictureIsWellFormedXML() {
    let bar = BarChart.Bar(label: "<a> & \"b\"", value: 3, text: "3", style: "foundation")
    let page = ChartPage(title: "<>", charts: [BarChart(title: "t&t", caption: "c", bars: [bar])])
    #expect(XMLParser(data: Data(page.svg.utf8)).parse())
    #expect(page.svg.contains("&lt;a&gt; &amp; &quot;b&quot;"))
  }

  @Test func reportHasARowForEachContender() {
    var fast = Sample.of("fast", requestsPerSecond: 2000)
    fast.machineInUse = 0.5
    let report = Report(
      results: Results([fast, .of("slow", requestsPerSecond: 1000, failures: 7)]),
      workloads: [Workload.all[0], Workload.all[1]],
      contenders: ["fast", "slow", "absent"].map { ContenderName($0, title: $0, family: .foundation) },
      bases: Report.Bases(foundation: "slow", asyncHTTPClient: "absent"), circumstances: ["Here."],
      problems: ["absent: it didn't end"])
    let table = report.table(for: Workload.all[0])
    #expect(table.rows.map { $0[0] } == ["fast", "slow"])
    #expect(table.rows[0].prefix(6) == ["fast", "2,000", "2,000–2,000", "2.00", "–", "250"])
    #expect(table.header[7] == "machine in use")
    #expect(table.rows.map { $0[7] } == ["50%", "–"])
    let text = report.markdown(picture: "run.svg")
    #expect(text.contains("- Here.\n"))
    #expect(text.contains("](run.svg)"))
    #expect(text.contains("7 of 1007 requests failed, the first: refused"))
    #expect(text.contains("- absent: it didn't end\n"))
    #expect(report.picture.charts.map(\.bars.count) == [2])
  }
}

@Suite struct ProcessStatusTests {
  @Test func fieldsAreFoundByTheirWholeName() {
    let text = "Name:\tVmHWM\nVmHWM:\t    2048 kB\nThreads:\t7\n"
    #expect(ProcessStatus.bytes(of: "VmHWM", in: text) == 2_097_152)
    #expect(ProcessStatus.bytes(of: "Vm", in: text) == nil)
    #expect(ProcessStatus.bytes(of: "Threads", in: text) == nil)
  }
}
