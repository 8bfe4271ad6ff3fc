/// The slots of a limit, and the waiters for them. Pure.
///
/// A waiter first arrives, which gives it a place in line, and then suspends. It may be cancelled at any time, also
/// between the two.
struct SlotQueue<Waiter> {
  private enum Place {
    case arrived
    case granted
    case cancelled
    case waiting(Waiter)
  }

  private var free: Int
  /// The waiters that have arrived and have not been resumed, by ticket.
  private var places: [UInt64: Place] = [:]
  /// The waiters without a slot that are not cancelled.
  private var line: WaitingLine
  private var lastTicket: UInt64 = 0

  init(free: Int, order: SlotOrder = .firstInFirstOut) {
    self.free = free
    line = WaitingLine(order)
  }

  /// The number of waiters in line.
  var waitingCount: Int { line.count }

  /// The number of waiters before a ticket; `nil` if the ticket is not in line. O(log n)
  func countBefore(_ ticket: UInt64) -> Int? { line.countBefore(ticket) }

  /// Takes a slot if one is free.
  mutating func takesFree() -> Bool {
    if free == 0 { return false }
    free -= 1
    return true
  }

  /// Takes a place in line, or a slot if one is free.
  mutating func arrived(priority: Int = 0) -> UInt64 {
    lastTicket += 1
    if takesFree() {
      places[lastTicket] = .granted
    } else {
      places[lastTicket] = .arrived
      line.arrived(lastTicket, priority: priority)
    }
    return lastTicket
  }

  /// The waiter can now be resumed. Returns whether it got a slot; `nil` if that is not decided yet.
  mutating func suspended(_ ticket: UInt64, _ waiter: Waiter) -> Bool? {
    switch places[ticket] {
    case .arrived:
      places[ticket] = .waiting(waiter)
      return nil
    case .granted:
      places[ticket] = nil
      return true
    case .cancelled, .waiting, nil:
      places[ticket] = nil
      return false
    }
  }

  /// The waiter stops waiting. Returns it if it is suspended. A waiter that was given a slot keeps the slot.
  mutating func cancelled(_ ticket: UInt64) -> Waiter? {
    line.left(ticket)
    switch places[ticket] {
    case .waiting(let waiter):
      places[ticket] = nil
      return waiter
    case .arrived:
      places[ticket] = .cancelled
      return nil
    case .granted, .cancelled, nil:
      return nil
    }
  }

  /// A slot is free. Gives it to the next waiter in line, which is returned if it is suspended.
  mutating func released() -> Waiter? {
    guard let ticket = line.next() else {
      free += 1
      return nil
    }
    if case .waiting(let waiter) = places[ticket] {
      places[ticket] = nil
      return waiter
    }
    places[ticket] = .granted
    return nil
  }
}
