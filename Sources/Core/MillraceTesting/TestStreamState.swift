/// The state machine of a ``TestStream``: its elements, the readers that wait for an element, and the tasks that wait
/// for readers.
///
/// Invariant: no task waits for an element while there is one, or after the end.
struct TestStreamState<Element, Waiter> {
  enum Taking {
    case element(Element)
    case end
    case nothing
  }

  private(set) var elements: [Element] = []
  private var isFinished = false

  /// Tasks that wait for an element, in order of arrival.
  var reading = WaitList<Void, Waiter>()

  /// Tasks that wait for a number of readers.
  var watching = WaitList<Int, Waiter>()

  mutating func readerArrived(
    _ ticket: WaitList<Void, Waiter>.Ticket, _ waiter: Waiter
  ) -> [Resumption<Waiter>] {
    let isReady = isFinished || !elements.isEmpty
    let resumed = reading.suspended(ticket, waiter: waiter, for: (), isReached: isReady)
    return resumed.isEmpty ? watching.reached(count: reading.count) : resumed
  }

  mutating func sent(_ element: Element) -> [Resumption<Waiter>] {
    if isFinished { return [] }
    elements.append(element)
    return reading.reached(first: 1)
  }

  mutating func finished() -> [Resumption<Waiter>] {
    isFinished = true
    return reading.reached(first: .max)
  }

  /// A resumed reader takes the first element.
  mutating func take() -> Taking {
    if !elements.isEmpty { return .element(elements.removeFirst()) }
    return isFinished ? .end : .nothing
  }
}
