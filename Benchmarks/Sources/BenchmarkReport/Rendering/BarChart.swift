/// One panel of the picture, with one bar per contender.
package struct BarChart: Hashable, Sendable {
  package struct Bar: Hashable, Sendable {
    package var label: String
    package var value: Double
    /// The text beside the bar.
    package var text: String
    /// The CSS class that sets the bar's color.
    package var style: String

    package init(label: String, value: Double, text: String, style: String) {
      self.label = label
      self.value = value
      self.text = text
      self.style = style
    }
  }

  package var title: String
  /// The meaning of the bars, and which direction is better.
  package var caption: String
  package var bars: [Bar]

  package init(title: String, caption: String, bars: [Bar]) {
    self.title = title
    self.caption = caption
    self.bars = bars
  }

  /// The relative lengths of the bars. The longest bar has length 1.
  package var shares: [Double] {
    let greatest = bars.map(\.value).max() ?? 0
    return bars.map { greatest > 0 && $0.value > 0 ? $0.value / greatest : 0 }
  }
}
