/// The text that `--help` prints.
package enum Help {
  package static func text(contenders: [ContenderName], parsers: [String], policies: [String]) -> String {
    """
    Compares this library with others on the same work.

    usage: swift run -c release --package-path Benchmarks Benchmarks [COMMAND] [OPTIONS]

    commands:
      run           measures every workload (the default)
      quick         measures 976-byte JSON, one at a time and 16 in flight
      concurrency   measures 976-byte JSON in cleartext, over TLS and over HTTP/2, with 1, 16 and 64 in flight
      growth        measures the growth of memory over 200,000 requests, and their connections
      outstanding   measures the memory and the failures of 10,000 requests that wait at once
      herd          simulates 10,000 clients through an outage and a slow time, without a network
      policies      measures the cost of each policy for a request on which it has nothing to do
      json          compares the library and Foundation at decoding JSON
      memory        measures the memory that transfers of 100 MB take
      fuzz          feeds random and damaged bytes to every parser of the library
      chaos         runs clients with random settings against servers that misbehave at random, and checks the
                    library's promises
      json-fuzz     decodes random models from random documents, and compares the library with Foundation

    options:
      --seconds S           the duration of a speed measurement (2), after a warm-up of a quarter of it
      --rounds N            the number of repetitions (3, and 5 for concurrency); the tables give medians
      --only W,…            runs only these workloads
      --contenders C,…      runs only these contenders
      --requests N          the number of requests for growth (200000)
      --server S            automatic (nginx where the machine has it), nginx or own
      --output DIRECTORY    the folder for table and picture (the package's Results)

    options of the last six:
      policies              --rounds N (200), --requests N for each policy in a round (500), --only P,…
                            (\(policies.joined(separator: ", "))), --output
      json                  --rounds N (41), --output
      memory                --rounds N (3), --output
      fuzz                  --inputs N for all parsers together (2000000), --seed N (1), --only P,…, and --output for
                            failing inputs (a temporary directory)
      chaos                 --minutes N (10), --seed N of the first plan (1), --plans N at most (no limit)
      json-fuzz             --documents N (1000000), --seed N of the first document (1)

    workloads:
    \(lines(Workload.all.map { ($0.identifier, $0.title) }))

    contenders:
    \(lines(contenders.map { ($0.identifier, $0.title) }))

    parsers:
      \(parsers.joined(separator: ", "))
    """
  }

  private static func lines(_ entries: [(name: String, title: String)]) -> String {
    let width = entries.map(\.name.count).max() ?? 0
    return entries.map { entry in
      "  \(entry.name)\(String(repeating: " ", count: width - entry.name.count + 2))\(entry.title)"
    }.joined(separator: "\n")
  }
}
