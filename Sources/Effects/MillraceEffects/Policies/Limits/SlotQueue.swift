/// The holders of slots, and the waiters.
///
/// A waiter arrives, which gives it its place in line, and then suspends. Cancellation may come at any time, also
/// between the two.
struct SlotQueue<Waiter> {
  private enum Place {
    case arrived
    case granted
    case cancelled
    case waiting(Waiter)
  }

  private var free: Int
  /// Everyone who has arrived and does not have a slot for good.
  private var places: [UInt64: Place] = [:]
  /// The waiters that have no slot and are not cancelled.
  private var line: WaitingLine
  private var lastTicket: UInt64 = 0

  init(free: Int, order: SlotOrder = .firstInFirstOut) {
    self.free = free
    line = WaitingLine(order)
  }

  /// How many are in line, with no slot.
  var waitingCount: Int { line.count }

  /// How many have their turn before a ticket; `nil` if it is not in line. O(n)
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

  /// The waiter is ready to be resumed. Returns whether it got a slot, if that is known already.
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

  /// The waiter is to wait no longer. Returns it if it is suspended. One that was given a slot keeps it.
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

  /// A slot is free. It goes to the next in line, who is returned if suspended.
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
