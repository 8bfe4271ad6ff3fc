/// Every action that is reduced, with the state after it, as an asynchronous sequence.
///
/// Records from its creation and ends when the store or scope does; what was recorded by then is still given. For
/// one consumer. A consumer that is slower than the actions makes the buffer grow, unless a bound was chosen:
/// `statistics` tells how far it did. Forgetting the sequence and its iterator disconnects it.
///
/// ```swift
/// for await (action, state) in store.actions() { print(action, state.count) }
/// ```
public struct StoreActions<State: Sendable, Action: Sendable>: AsyncSequence, Sendable {
  /// An action and the state right after it.
  public typealias Element = (action: Action, state: State)
  /// It ends, and never fails.
  public typealias Failure = Never

  private let handle: SequenceHandle<RecordedActions<State, Action>>

  init(_ handle: SequenceHandle<RecordedActions<State, Action>>) { self.handle = handle }

  /// An iterator over what is recorded. All iterators of one sequence share its buffer.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(handle: handle) }

  /// How the buffer fares.
  public var statistics: BufferStatistics { handle.source.read { $0.statistics } }

  /// Iterates over actions.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let handle: SequenceHandle<RecordedActions<State, Action>>

    /// The next action, as soon as there is one; `nil` when the sequence has ended or the task is cancelled.
    public func next() async -> (action: Action, state: State)? { await handle.source.next() }
  }
}

/// How many actions a sequence keeps for a consumer that is slower than they come.
public enum ActionBuffering: Sendable, Hashable {
  /// All of them.
  case unbounded
  /// The newest so many, at least one; the oldest are dropped and counted.
  case newest(Int)
}

/// How the buffer of a sequence of actions fares.
public struct BufferStatistics: Sendable, Hashable {
  /// How many actions wait for the consumer.
  public internal(set) var waiting = 0
  /// The most that ever waited.
  public internal(set) var highWater = 0
  /// How many were dropped for the bound.
  public internal(set) var dropped = 0
}

/// The actions that a consumer has not taken.
struct RecordedActions<State: Sendable, Action: Sendable>: SequenceContents {
  typealias Element = (action: Action, state: State)

  private(set) var statistics = BufferStatistics()
  private let limit: Int
  private var buffer = Fifo<Element>()

  init(_ buffering: ActionBuffering) {
    limit =
      switch buffering {
      case .unbounded: .max
      case .newest(let count): max(1, count)
      }
  }

  /// - Returns: an action that is dropped for the bound, to be released when no lock is held.
  mutating func append(_ element: Element) -> Element? {
    let dropped = statistics.waiting == limit ? takeNext() : nil
    if dropped != nil { statistics.dropped += 1 }
    buffer.append(element)
    statistics.waiting += 1
    statistics.highWater = max(statistics.highWater, statistics.waiting)
    return dropped
  }

  mutating func takeNext() -> Element? {
    guard let element = buffer.takeFirst() else { return nil }
    statistics.waiting -= 1
    return element
  }
}
