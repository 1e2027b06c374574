/// What `--help` prints.
package enum Help {
  package static func text(contenders: [ContenderName], parsers: [String], policies: [String]) -> String {
    """
    Compares this library with others on the same work.

    usage: swift run -c release --package-path Benchmarks Benchmarks [COMMAND] [OPTIONS]

    commands:
      run           every workload (this is what happens without a command)
      quick         976-byte JSON, one at a time and 16 in flight
      growth        how memory grows over 200,000 requests, and how many connections they take
      outstanding   what 10,000 requests hold that all wait at once, and how many of them fail
      herd          simulates 10,000 clients through an outage and a slow time, without a network
      policies      what each policy of the library adds to a request when it has nothing to do
      json          how long the library and Foundation take to decode JSON
      memory        how much memory bodies of 100 MB take on their way
      fuzz          feeds random and damaged bytes to every parser of the library
      chaos         has clients with random settings call servers that misbehave at random, and holds what both have
                    seen against the library's promises
      json-fuzz     has the library and Foundation decode random models from random documents, and compares the results

    options:
      --seconds S           how long each measurement of speed takes (2), after a warm-up of a quarter of it
      --rounds N            how often each is repeated (3); the tables give medians
      --only W,…            these workloads alone
      --contenders C,…      these contenders alone
      --requests N          how many requests the measurement of growth sends (200000)
      --server S            automatic (nginx where the machine has it), nginx or own
      --output DIRECTORY    where the table and the picture are written (the package's Results)

    options of the last six:
      policies              --rounds N (200), --requests N for each policy in a round (500), --only P,…
                            (\(policies.joined(separator: ", "))), --output
      json                  --rounds N (41), --output
      memory                --rounds N (3), --output
      fuzz                  --inputs N for all parsers together (2000000), --seed N (1), --only P,…, and --output for the
                            inputs that a parser fails at (a temporary directory)
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
