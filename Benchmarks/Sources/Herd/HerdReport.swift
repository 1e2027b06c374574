import Foundation

/// The observations of all behaviours in one scenario, as a table and as a picture.
package struct HerdReport: Sendable {
  package let courses: [Course]
  let scenario: Scenario

  package init(_ scenario: Scenario = .standard) {
    self.scenario = scenario
    courses = Behaviour.allCases.map { Simulation.course(of: $0, in: scenario) }
  }

  /// A Markdown table for each phase.
  package var markdown: String {
    var lines = [
      "# A herd of clients", "",
      "\(Self.grouped(Double(scenario.clients))) clients on a virtual clock. Each sends \(Self.text(scenario.requestsPerSecond)) "
        + "requests a second on average, at random times. A load is the number of requests at the server, relative to the "
        + "normal \(Self.grouped(scenario.normalLoad)) a second. The last column is the number of successful responses of a "
        + "phase, relative to the requests wanted in it. Responses to earlier requests shift it a little.", "",
      "![Loads over time](herd.svg)",
      "",
      "| phase | clients | mean load | worst second | succeeded |", "| --- | --- | ---: | ---: | ---: |",
    ]
    for (phase, span) in scenario.spans {
      for course in courses {
        let figures = course.figures(of: span)
        lines.append(
          "| \(phase.name), \(Self.text(phase.duration)) s | \(course.behaviour.title) | \(Self.text(figures.mean)) "
            + "| \(Self.text(figures.worst)) | \(Self.text((figures.succeeded * 1000).rounded() / 10)) % |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A picture of the requests per second at the server over time.
  package var svg: String { HerdPicture(courses: courses, scenario: scenario).svg }

  /// Formats a number with commas between thousands.
  static func grouped(_ number: Double) -> String {
    let digits = text(number)
    return digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
    }.joined()
  }

  static func text(_ number: Double) -> String {
    let rounded = (number * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
