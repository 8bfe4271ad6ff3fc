/// Waits in order of arrival, each with a key that names its condition.
///
/// A wait begins in two steps, because its cancellation can arrive between them: `entered` returns the ticket by which
/// it can be cancelled, and `suspended` passes the task to resume. A wait that is cancelled in between is kept as
/// cancelled early until it suspends.
///
/// Pure: it resumes nothing. It removes the waits that end, and returns them.
struct WaitList<Key, Waiter> {
  /// Identifies one wait, from before it suspends until it is resumed. Never reused.
  struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private enum Entrance {
    case entering
    case cancelledEarly
  }

  private struct Entry {
    let ticket: Ticket
    let key: Key
    let waiter: Waiter
  }

  private var nextNumber: UInt64 = 0
  private var entrances: [Ticket: Entrance] = [:]
  private var entries: [Entry] = []

  /// The number of suspended waits.
  var count: Int { entries.count }

  /// The keys of the suspended waits, in order of arrival.
  var keys: [Key] { entries.map(\.key) }

  /// Whether no wait is in progress.
  var isEmpty: Bool { entries.isEmpty && entrances.isEmpty }

  /// A wait begins.
  mutating func entered() -> Ticket {
    defer { nextNumber += 1 }
    let ticket = Ticket(number: nextNumber)
    entrances[ticket] = .entering
    return ticket
  }

  /// The task of an entered wait is suspended. `isReached` says whether its condition already holds.
  ///
  /// - Returns: how to resume it at once; empty if it waits. A wait that was cancelled early ends as cancelled, even if
  ///   its condition already holds.
  mutating func suspended(
    _ ticket: Ticket, waiter: Waiter, for key: Key, isReached: Bool
  ) -> [Resumption<Waiter>] {
    let entrance = entrances.removeValue(forKey: ticket)
    precondition(entrance != nil, "a ticket is good for one wait")
    if entrance == .cancelledEarly { return [Resumption(waiter, .cancelled)] }
    if isReached { return [Resumption(waiter, .reached)] }
    entries.append(Entry(ticket: ticket, key: key, waiter: waiter))
    return []
  }

  /// The task of a wait was cancelled: before it suspended, while it is suspended, or after it was taken from the list.
  /// In the last case nothing changes.
  mutating func cancelled(_ ticket: Ticket) -> Resumption<Waiter>? {
    if entrances[ticket] != nil {
      entrances[ticket] = .cancelledEarly
      return nil
    }
    guard let index = entries.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return Resumption(entries.remove(at: index).waiter, .cancelled)
  }

  /// The conditions whose keys satisfy `isReached` now hold.
  ///
  /// - Returns: how to resume their waits, with the keys, in order of arrival.
  mutating func reached(where isReached: (Key) -> Bool) -> [(key: Key, resumption: Resumption<Waiter>)] {
    let reached = entries.filter { isReached($0.key) }
    guard !reached.isEmpty else { return [] }
    entries.removeAll { isReached($0.key) }
    return reached.map { ($0.key, Resumption($0.waiter, .reached)) }
  }

  /// The conditions of the first `limit` waits now hold.
  mutating func reached(first limit: Int) -> [Resumption<Waiter>] {
    let reached = entries.prefix(limit)
    entries.removeFirst(reached.count)
    return reached.map { Resumption($0.waiter, .reached) }
  }
}

extension WaitList where Key == Int {
  /// The number that these waits wait for is now `count`.
  mutating func reached(count: Int) -> [Resumption<Waiter>] {
    reached { $0 <= count }.map(\.resumption)
  }
}
