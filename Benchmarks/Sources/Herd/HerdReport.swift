import Foundation

/// The courses of all behaviours through one scenario, as a table and as a picture.
package struct HerdReport: Sendable {
  package let courses: [Course]
  let scenario: Scenario

  package init(_ scenario: Scenario = .standard) {
    self.scenario = scenario
    courses = Behaviour.allCases.map { Simulation.course(of: $0, in: scenario) }
  }

  /// A table for each phase, in Markdown.
  package var markdown: String {
    var lines = [
      "# A herd of clients", "",
      "\(Self.grouped(Double(scenario.clients))) clients on a clock that is only reckoned, each sending \(Self.text(scenario.requestsPerSecond)) "
        + "requests a second by chance. Loads are requests at the server in shares of the normal "
        + "\(Self.grouped(scenario.normalLoad)) a second. What has succeeded is the answers of the phase in shares of what was "
        + "wanted in it; those to requests from before make it a little more or less.", "",
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

  /// Requests per second at the server over time.
  package var svg: String { HerdPicture(courses: courses, scenario: scenario).svg }

  /// With commas between thousands.
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
