/// Stacks bar charts in an SVG picture that suits light and dark pages.
package struct ChartPage: Sendable {
  private enum Size {
    static let width = 860.0
    static let margin = 20.0
    static let labels = 330.0
    static let bars = 400.0
    static let heading = 48.0
    static let row = 24.0
    static let bar = 16.0
    static let gap = 22.0
  }

  package let title: String
  package let charts: [BarChart]

  package init(title: String, charts: [BarChart]) {
    self.title = title
    self.charts = charts
  }

  package var svg: String {
    let heights = charts.map { Size.heading + Size.row * Double($0.bars.count) + Size.gap }
    let width = Self.text(Size.width)
    let height = Self.text(heights.reduce(Size.margin * 2, +))
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
        + "viewBox=\"0 0 \(width) \(height)\" role=\"img\">",
      "<title>\(Self.escaped(title))</title>",
      Self.style,
    ]
    var top = Size.margin
    for (chart, height) in zip(charts, heights) {
      lines += Self.panel(chart, top: top)
      top += height
    }
    lines.append("</svg>")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func panel(_ chart: BarChart, top: Double) -> [String] {
    let left = Size.margin + Size.labels
    var lines = [
      element("text", chart.title, style: "title", x: Size.margin, y: top + 16),
      element("text", chart.caption, style: "caption", x: Size.margin, y: top + 34),
    ]
    for (index, (bar, share)) in zip(chart.bars, chart.shares).enumerated() {
      let y = top + Size.heading + Size.row * Double(index)
      let length = max(1, share * Size.bars)
      lines.append(element("text", bar.label, style: "label", x: left - 8, y: y + 12.5))
      lines.append(
        "<rect class=\"\(escaped(bar.style))\" x=\"\(text(left))\" y=\"\(text(y))\" "
          + "width=\"\(text(length))\" height=\"\(text(Size.bar))\" rx=\"2\"/>")
      lines.append(element("text", bar.text, style: "value", x: left + length + 6, y: y + 12.5))
    }
    return lines
  }

  private static func element(_ name: String, _ content: String, style: String, x: Double, y: Double)
    -> String
  {
    "<\(name) class=\"\(style)\" x=\"\(text(x))\" y=\"\(text(y))\">\(escaped(content))</\(name)>"
  }

  /// One decimal is finer than any screen.
  private static func text(_ number: Double) -> String {
    let rounded = (number * 10).rounded() / 10
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }

  static func escaped(_ content: String) -> String {
    content.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
  }

  /// The picture has no background of its own.
  private static let style = """
    <style>
    text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f; }
    .title { font-weight: 600; font-size: 15px; }
    .caption { fill: #6e7781; font-size: 12px; }
    .label { text-anchor: end; }
    .value { font-variant-numeric: tabular-nums; }
    .webServices { fill: #1f7a5c; }
    .asyncHTTPClient { fill: #d9822b; }
    .foundation { fill: #8c96a0; }
    .libcurl { fill: #4a7ab8; }
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .caption { fill: #8b949e; }
    .webServices { fill: #3fb68b; }
    .asyncHTTPClient { fill: #e8a04f; }
    .foundation { fill: #76808b; }
    .libcurl { fill: #6f9edb; }
    }
    </style>
    """
}
