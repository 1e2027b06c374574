import Foundation
import Fuzz

/// The text that `--help` prints.
enum Help {
  static var text: String {
    """
    Compares this library with others on the same work. Prints figures; Benchmarks/report makes tables from them.

    usage: swift run -c release --package-path Benchmarks Benchmarks [COMMAND] [OPTIONS]

    commands, with their options and defaults:
      run           every workload (the default): --seconds 2, --rounds 3, --only W,…, --contenders C,…,
                    --requests 200000 (for growth), --server automatic (nginx where the machine has it), nginx or own
      quick         the same with 976-byte JSON, one at a time and 16 in flight
      concurrency   the same with 976-byte JSON in cleartext, over TLS and over HTTP/2; --rounds 5
      growth        the growth of memory over 200,000 requests, and their connections
      outstanding   the memory and the failures of 10,000 requests that wait at once
      herd          simulates 10,000 clients through an outage and a slow time, without a network
      policies      the cost of each policy for a request on which it has nothing to do: --rounds 200,
                    --requests 500 (in a round), --only P,…
      json          the library and Foundation at decoding JSON: --rounds 41
      memory        the memory that transfers of 100 MB take: --rounds 3
      fuzz          feeds random and damaged bytes to every parser of the library: --inputs 2000000, --seed 1,
                    --only P,…, --output DIRECTORY (for inputs that fail)
      chaos         runs random clients against random servers, and checks the library's promises: --minutes 10,
                    --seed 1 (of the first plan), --plans N (at most)
      json-fuzz     compares both decoders with random documents: --documents 1000000, --seed 1

    workloads:
    \(lines(Workload.all.map { ($0.identifier, $0.title) }))

    contenders:
    \(lines(Contender.all.map { ($0.identifier, $0.title) }))

    policies:
      \(Policy.compared.map(\.identifier).joined(separator: ", "))

    parsers:
      \(Subject.all.map(\.name).joined(separator: ", "))
    """
  }

  private static func lines(_ entries: [(name: String, title: String)]) -> String {
    entries.map { "  \($0.name.padding(toLength: 36, withPad: " ", startingAt: 0))\($0.title)" }.joined(separator: "\n")
  }
}
