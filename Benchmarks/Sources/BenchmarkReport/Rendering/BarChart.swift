/// A panel of the picture: one bar a contender.
package struct BarChart: Hashable, Sendable {
  package struct Bar: Hashable, Sendable {
    package var label: String
    package var value: Double
    /// The value as it is written beside the bar.
    package var text: String
    /// The class that colours the bar.
    package var style: String

    package init(label: String, value: Double, text: String, style: String) {
      self.label = label
      self.value = value
      self.text = text
      self.style = style
    }
  }

  package var title: String
  /// What the bars tell, and which way is better.
  package var caption: String
  package var bars: [Bar]

  package init(title: String, caption: String, bars: [Bar]) {
    self.title = title
    self.caption = caption
    self.bars = bars
  }

  /// The share of the room that each bar takes: the greatest takes all of it.
  package var shares: [Double] {
    let greatest = bars.map(\.value).max() ?? 0
    return bars.map { greatest > 0 && $0.value > 0 ? $0.value / greatest : 0 }
  }
}
