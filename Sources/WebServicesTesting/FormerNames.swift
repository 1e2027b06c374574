// The former names of two types. They exist until no test of this package uses them any more.
package typealias MockAnswer = MockResponse

extension LoopbackServer {
  package typealias Answer = Response
}
