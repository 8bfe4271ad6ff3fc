/// Who has a slot and who waits for one, in order of arrival.
///
/// A waiter arrives, which gives it its place, and then suspends. Cancellation may come at any time, also
/// between the two.
struct SlotQueue<Waiter> {
  private enum Place {
    case arrived
    case granted
    case cancelled
    case waiting(Waiter)
  }

  private var free: Int
  private var places: [UInt64: Place] = [:]
  private var next: UInt64 = 0
  private var head: UInt64 = 0

  init(free: Int) { self.free = free }

  /// How many are in line, with no slot.
  var waitingCount: Int {
    places.values.reduce(0) { count, place in
      switch place {
      case .arrived, .waiting: count + 1
      case .granted, .cancelled: count
      }
    }
  }

  /// Takes a place in line, and a slot with it if one is free.
  mutating func arrived() -> UInt64 {
    let ticket = next
    next += 1
    if free > 0 {
      free -= 1
      places[ticket] = .granted
    } else {
      places[ticket] = .arrived
    }
    return ticket
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

  /// A slot is free. It goes to the first in line, who is returned if suspended.
  mutating func released() -> Waiter? {
    while head < next {
      defer { head += 1 }
      switch places[head] {
      case .waiting(let waiter):
        places[head] = nil
        return waiter
      case .arrived:
        places[head] = .granted
        return nil
      case .granted, .cancelled, nil:
        continue
      }
    }
    free += 1
    return nil
  }
}
