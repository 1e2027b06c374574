/// The tickets of requests that wait for one host: the highest priority first, then the order of arrival. A low priority
/// may wait for as long as requests with a higher one come.
struct TicketQueue: Sendable {
  typealias Ticket = RequestLimiter.Ticket

  /// One line for each priority; the index is the priority's raw value. Cancelled tickets stay until they are taken out
  /// or are the majority.
  private var lines: [ArraySlice<Ticket>]
  private var cancelled = 0
  private(set) var count = 0

  init() {
    lines = RequestOptions.Priority.allCases.map { _ in [] }
  }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ ticket: Ticket) {
    lines[ticket.priority.rawValue].append(ticket)
    count += 1
  }

  /// Takes the next ticket out.
  mutating func popFirst() -> Ticket? {
    for index in lines.indices.reversed() {
      while let ticket = lines[index].popFirst() {
        guard ticket.isWaiting else {
          cancelled -= 1
          continue
        }
        count -= 1
        if isEmpty { self = TicketQueue() }
        return ticket
      }
    }
    return nil
  }

  /// Counts a cancelled ticket, whose `isWaiting` is `false` already.
  mutating func didCancel() {
    count -= 1
    cancelled += 1
    // An empty queue keeps no ticket, because tickets retain the limiter. Otherwise the majority has to be cancelled, so
    // that copying the others costs a constant time for each cancelled ticket.
    guard isEmpty || cancelled > max(16, count) else { return }
    lines = lines.map { ArraySlice($0.filter(\.isWaiting)) }
    cancelled = 0
  }
}
