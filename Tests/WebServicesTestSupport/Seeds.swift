/// The seeds of a slow random test. `swift test` runs a few of them, and `WEBSERVICES_TESTS_SEEDS=many` runs all.
func seeds(_ few: Int, many: Int) -> ClosedRange<UInt64> {
  1...UInt64(ProcessInfo.processInfo.environment["WEBSERVICES_TESTS_SEEDS"] == "many" ? many : few)
}
