import Foundation

/// The requests that wait for one host, in the order in which they will be sent.
///
/// Each priority has its own line, served in order of arrival. The first tickets of all lines are compared, and the
/// earliest is next. A lower priority counts as having arrived later by `aging`. That difference is the same for a
/// whole line, so adding and removing take the same time for any number of requests.
struct AgingQueue: Sendable {
  typealias Ticket = RequestLimiter.Ticket

  /// One line for each priority; the index is the priority's raw value.
  private var lines: [Line]

  init(aging: TimeInterval) {
    // 5 s is the default of `RequestLimits.aging`. A NaN would make every comparison false.
    let aging = aging.isFinite ? max(0, aging) : 5
    let highest = RequestPriority.high.rawValue
    lines = RequestPriority.allCases.map { Line(handicap: aging * Double(highest - $0.rawValue)) }
  }

  private(set) var count = 0
  var isEmpty: Bool { count == 0 }

  mutating func append(_ ticket: Ticket, priority: RequestPriority, now: TimeInterval) {
    lines[priority.rawValue].append(ticket, now: now)
    count += 1
  }

  /// Takes the next ticket out.
  mutating func popFirst() -> Ticket? {
    var next: Int?
    // The loop begins with the highest priority. A lower priority with an equal rank doesn't replace it.
    for index in lines.indices.reversed() {
      guard let rank = lines[index].firstRank else { continue }
      if let other = next.flatMap({ lines[$0].firstRank }), other <= rank { continue }
      next = index
    }
    guard let next else { return nil }
    count -= 1
    return lines[next].popFirst()
  }

  /// Removes a cancelled ticket of this priority. Its `isWaiting` is `false` already.
  mutating func didCancel(priority: RequestPriority) {
    count -= 1
    lines[priority.rawValue].didCancel()
  }
}

extension AgingQueue {
  /// The tickets of one priority. Cancelled tickets stay until they are the majority, and are then taken out at once.
  private struct Line: Sendable {
    /// One ticket in the line.
    private struct Place: Sendable {
      /// `nil` once the ticket has left, so that the array doesn't retain it.
      var ticket: Ticket?
      /// When the ticket was added, plus the line's handicap.
      var rank: TimeInterval
    }

    /// The seconds by which tickets of this line count as later.
    let handicap: TimeInterval
    private var places: [Place] = []
    /// The index of the first ticket that waits. The places before it are empty.
    private var head = 0
    /// The number of cancelled tickets behind the head.
    private var cancelled = 0

    init(handicap: TimeInterval) {
      self.handicap = handicap
    }

    /// The rank of the first ticket; `nil` for an empty line. The head never is a cancelled ticket.
    var firstRank: TimeInterval? { head < places.count ? places[head].rank : nil }

    mutating func append(_ ticket: Ticket, now: TimeInterval) {
      places.append(Place(ticket: ticket, rank: now + handicap))
    }

    mutating func popFirst() -> Ticket? {
      guard head < places.count else { return nil }
      let ticket = places[head].ticket
      places[head].ticket = nil
      head += 1
      skipCancelled()
      return ticket
    }

    mutating func didCancel() {
      cancelled += 1
      skipCancelled()
      // Half of the places have to be cancelled, so that copying the others costs a constant time for each cancelled
      // ticket.
      guard cancelled > 16, cancelled > (places.count - head) / 2 else { return }
      places = places[head...].filter { $0.ticket?.isWaiting == true }
      (head, cancelled) = (0, 0)
    }

    /// Moves the head to the first ticket that waits, and releases the places before it once they are many.
    private mutating func skipCancelled() {
      while head < places.count, let ticket = places[head].ticket, !ticket.isWaiting {
        places[head].ticket = nil
        head += 1
        cancelled -= 1
      }
      if head == places.count {
        places = []
        head = 0
      } else if head > 64, head > places.count / 2 {
        places.removeFirst(head)
        head = 0
      }
    }
  }
}
