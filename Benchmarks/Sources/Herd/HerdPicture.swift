/// Draws load over time as an SVG picture that suits light and dark pages.
struct HerdPicture {
  private enum Size {
    static let width = 860.0
    static let left = 56.0
    static let top = 96.0
    static let plotWidth = 780.0
    static let plotHeight = 300.0
    static let height = 440.0
  }

  let courses: [Course]
  let scenario: Scenario

  private var highest: Double { max(1.5, (courses.flatMap(\.load).max() ?? 0).rounded(.up)) }

  var svg: String {
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(t(Size.width))\" height=\"\(t(Size.height))\" "
        + "viewBox=\"0 0 \(t(Size.width)) \(t(Size.height))\" role=\"img\">",
      "<title>Requests per second at the server, through an outage and a slow time</title>", Self.style,
      "<text class=\"title\" x=\"\(t(Size.left))\" y=\"24\">Requests per second at the server</text>",
      "<text class=\"caption\" x=\"\(t(Size.left))\" y=\"42\">\(HerdReport.grouped(Double(scenario.clients))) clients; 1 is the normal load of "
        + "\(HerdReport.grouped(scenario.normalLoad)) a second</text>",
    ]
    lines += legend + phases + axes
    // Later lines are drawn on top of earlier ones.
    for course in courses.sorted(by: { $0.behaviour != .plain && $1.behaviour == .plain }) {
      lines.append(line(course))
    }
    lines.append("</svg>")
    return lines.joined(separator: "\n") + "\n"
  }

  private var legend: [String] {
    var x = Size.left
    return courses.map { course in
      defer { x += 56 + Double(course.behaviour.title.count) * 6 }
      return "<path class=\"\(course.behaviour.rawValue)\" d=\"M\(t(x)) 60h24\"/>"
        + "<text class=\"caption\" x=\"\(t(x + 30))\" y=\"64\">\(course.behaviour.title)</text>"
    }
  }

  private var phases: [String] {
    scenario.spans.enumerated().flatMap { index, entry in
      let (start, end) = (x(entry.span.lowerBound), x(entry.span.upperBound))
      let band =
        index % 2 == 1
        ? [
          "<rect class=\"band\" x=\"\(t(start))\" y=\"\(t(Size.top))\" width=\"\(t(end - start))\" "
            + "height=\"\(t(Size.plotHeight))\"/>"
        ] : []
      return band + [
        "<text class=\"phase\" x=\"\(t((start + end) / 2))\" y=\"\(t(Size.top - 8))\">\(entry.phase.name)</text>"
      ]
    }
  }

  private var axes: [String] {
    let loads = stride(from: 0.0, through: highest, by: highest > 3 ? 1 : 0.5).map { load in
      "<path class=\"grid\" d=\"M\(t(Size.left)) \(t(y(load)))h\(t(Size.plotWidth))\"/>"
        + "<text class=\"load\" x=\"\(t(Size.left - 8))\" y=\"\(t(y(load) + 4))\">\(HerdReport.text(load))</text>"
    }
    let times = stride(from: 0.0, through: scenario.duration, by: 20).map { time in
      "<text class=\"phase\" x=\"\(t(x(time)))\" y=\"\(t(Size.top + Size.plotHeight + 20))\">\(Int(time)) s</text>"
    }
    return loads + times
  }

  private func line(_ course: Course) -> String {
    let points = course.load.enumerated().map { "\(t(x(Double($0) + 0.5))) \(t(y($1)))" }
    return "<path class=\"\(course.behaviour.rawValue)\" d=\"M\(points.joined(separator: "L"))\"/>"
  }

  private func x(_ seconds: Double) -> Double { Size.left + seconds / scenario.duration * Size.plotWidth }
  private func y(_ load: Double) -> Double { Size.top + (1 - load / highest) * Size.plotHeight }

  /// One decimal is finer than any screen.
  private func t(_ number: Double) -> String {
    let rounded = (number * 10).rounded() / 10
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  /// The picture has no background of its own.
  private static let style = """
    <style>
    text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f; }
    .title { font-weight: 600; font-size: 15px; }
    .caption { fill: #6e7781; font-size: 12px; }
    .phase { text-anchor: middle; fill: #6e7781; font-size: 12px; }
    .load { text-anchor: end; font-variant-numeric: tabular-nums; }
    path { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
    .grid { stroke: #8c96a0; stroke-opacity: 0.3; stroke-width: 1; }
    .band { fill: #8c96a0; fill-opacity: 0.12; }
    .policies { stroke: #1f7a5c; stroke-width: 2.4; }
    .plain { stroke: #4466aa; stroke-dasharray: 5 4; }
    .naive { stroke: #d9822b; }
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .caption, .phase { fill: #8b949e; }
    .policies { stroke: #3fb68b; }
    .naive { stroke: #e8a04f; }
    .plain { stroke: #88a8e8; }
    }
    </style>
    """
}
