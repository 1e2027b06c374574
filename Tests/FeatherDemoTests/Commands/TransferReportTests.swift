import Testing

@testable import FeatherDemo

@Suite struct TransferReportTests {
  @Test func lineShowsSizeAndRate() {
    #expect(
      TransferReport(file: "a", bytes: 5_000_000, seconds: 2).line("Downloaded", "to", "a\nb")
        == "Downloaded 5.0 MB to a b in 2.0 s (2.5 MB/s).")
    #expect(
      TransferReport(file: "a", bytes: 1, seconds: 0).line("Uploaded", "to", "b") == "Uploaded 1 byte to b in 0.0 ms.")
  }
}
