#if os(Linux)
  /// What has a place in `CurlDeadlines`.
  protocol CurlDeadlineHolder: AnyObject {
    /// Nanoseconds on the clock that the owner reads.
    var deadline: UInt64 { get set }
    /// The place in the heap; -1 outside of it.
    var deadlineIndex: Int { get set }
  }

  /// The deadlines of the exchanges under way, the earliest first: a binary heap whose elements know their place, so
  /// that the one that ends takes its deadline with it.
  struct CurlDeadlines<Element: CurlDeadlineHolder> {
    private var heap: [Element] = []

    var first: Element? { heap.first }
    var count: Int { heap.count }

    /// Adds the element, or moves it to its new place.
    mutating func set(_ element: Element, to deadline: UInt64) {
      element.deadline = deadline
      if element.deadlineIndex < 0 {
        element.deadlineIndex = heap.count
        heap.append(element)
        rise(from: heap.count - 1)
      } else {
        let index = element.deadlineIndex
        rise(from: index)
        sink(from: element.deadlineIndex)
      }
    }

    mutating func remove(_ element: Element) {
      let index = element.deadlineIndex
      guard index >= 0 else { return }
      element.deadlineIndex = -1
      let last = heap.removeLast()
      guard last !== element else { return }
      place(last, at: index)
      rise(from: index)
      sink(from: last.deadlineIndex)
    }

    private mutating func place(_ element: Element, at index: Int) {
      heap[index] = element
      element.deadlineIndex = index
    }

    private mutating func rise(from start: Int) {
      var index = start
      let element = heap[index]
      while index > 0 {
        let parent = (index - 1) / 2
        guard element.deadline < heap[parent].deadline else { break }
        place(heap[parent], at: index)
        index = parent
      }
      place(element, at: index)
    }

    private mutating func sink(from start: Int) {
      var index = start
      let element = heap[index]
      while true {
        var child = 2 * index + 1
        guard child < heap.count else { break }
        if child + 1 < heap.count, heap[child + 1].deadline < heap[child].deadline { child += 1 }
        guard heap[child].deadline < element.deadline else { break }
        place(heap[child], at: index)
        index = child
      }
      place(element, at: index)
    }
  }
#endif
