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

  private let handle: SequenceHandle<ActionsAttachment<State, Action>>
  private weak let engine: Engine?

  init(_ attachment: ActionsAttachment<State, Action>, in engine: Engine) {
    handle = SequenceHandle(attachment, in: engine)
    self.engine = engine
  }

  /// An iterator over what is recorded. All iterators of one sequence share its buffer.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(handle: handle) }

  /// How the buffer fares.
  public var statistics: BufferStatistics {
    guard let engine else { return handle.source.statistics }
    return engine.locked { _ in handle.source.statistics }
  }

  /// Iterates over actions.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let handle: SequenceHandle<ActionsAttachment<State, Action>>

    /// The next action, as soon as there is one; `nil` when the sequence has ended or the task is cancelled.
    public func next() async -> (action: Action, state: State)? { await handle.next() }
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

/// The recording side of a sequence of actions. Guarded by the turn lock.
final class ActionsAttachment<State: Sendable, Action: Sendable>:
  Attachment, ActionTap, SequenceSource, @unchecked Sendable  // touched with the turn lock held
{
  typealias Element = (action: Action, state: State)

  let place: Place
  var consumer: UnsafeContinuation<Element?, Never>?
  private(set) var isEnded = false
  private(set) var statistics = BufferStatistics()
  private let backend: any StoreBackend<State, Action>
  private let limit: Int
  private var buffer: [Element?] = []
  private var first = 0

  init(at place: Place, backend: any StoreBackend<State, Action>, buffering: ActionBuffering) {
    self.place = place
    self.backend = backend
    limit =
      switch buffering {
      case .unbounded: .max
      case .newest(let count): max(1, count)
      }
  }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    backend.add(self, in: engine)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {}

  func reduced(_ action: Action, _ state: State, _ outcome: Outcome) {
    guard place.phase == .connected else { return }
    if statistics.waiting == limit {
      _ = takeNext()
      statistics.dropped += 1
    }
    buffer.append((action, state))
    statistics.waiting += 1
    statistics.highWater = max(statistics.highWater, statistics.waiting)
    serveConsumer(outcome)
  }

  func takeNext() -> Element? {
    guard first < buffer.count else { return nil }
    defer {
      buffer[first] = nil
      first += 1
      statistics.waiting -= 1
      // Gives the taken places back in time proportional to what they were, once they are half of all.
      if first * 2 >= buffer.count {
        buffer.removeFirst(first)
        first = 0
      }
    }
    return buffer[first]
  }

  func ended(_ engine: Engine, _ outcome: Outcome) {
    isEnded = true
    backend.remove(self, in: engine)
    serveConsumer(outcome)
  }

  var work: [any CountedWork] { [] }
  var activity: [StoreActivity.Work] { [] }
  var isWitness: Bool { true }
}
