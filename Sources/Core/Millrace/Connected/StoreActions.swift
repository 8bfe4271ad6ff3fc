/// Every action that is reduced, with the state after it, as an asynchronous sequence.
///
/// The sequence records from its creation, and ends when the store or scope ends. The actions recorded until then are
/// still delivered. For one consumer. If the consumer is slower than the actions, the buffer grows, unless a bound was
/// chosen. Releasing the sequence and its iterator disconnects it.
///
/// ```swift
/// for await (action, state) in store.actions() { print(action, state.count) }
/// ```
public struct StoreActions<State: Sendable, Action: Sendable>: AsyncSequence, Sendable {
  /// An action and the state right after it.
  public typealias Element = (action: Action, state: State)
  /// The sequence never fails.
  public typealias Failure = Never

  private let handle: SequenceHandle<RecordedActions<State, Action>>

  init(_ handle: SequenceHandle<RecordedActions<State, Action>>) { self.handle = handle }

  /// Returns an iterator over the recorded actions. All iterators of one sequence share its buffer.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(handle: handle) }

  /// Iterates over actions.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let handle: SequenceHandle<RecordedActions<State, Action>>

    /// Returns the next action as soon as there is one; `nil` when the sequence has ended or the task is cancelled.
    public func next() async -> (action: Action, state: State)? { await handle.source.next() }
  }
}

/// The number of actions that a sequence keeps for a slow consumer.
public enum ActionBuffering: Sendable, Hashable {
  /// Keeps all actions.
  case unbounded
  /// Keeps at most this many of the newest actions, at least one, and drops the oldest.
  case bufferingNewest(Int)
}

/// The actions that a consumer has not taken.
struct RecordedActions<State: Sendable, Action: Sendable>: SequenceContents {
  typealias Element = (action: Action, state: State)

  let buffering: ActionBuffering
  var buffer = Fifo<Element>()

  /// - Returns: the action that the bound drops. It is released when no lock is held.
  mutating func append(_ element: Element) -> Element? {
    var dropped: Element?
    if case .bufferingNewest(let limit) = buffering, buffer.count >= max(1, limit) {
      dropped = buffer.takeFirst()
    }
    buffer.append(element)
    return dropped
  }

  mutating func takeNext() -> Element? { buffer.takeFirst() }

  /// Whether no bound was chosen and the consumer is so far behind that it will hardly catch up.
  var isFarBehind: Bool { buffering == .unbounded && buffer.count >= 10_000 }
}

/// A connected sequence of actions.
final class SequenceTap<State: Sendable, Action: Sendable>: ActionTap<State, Action>,
  @unchecked Sendable  // its variables are guarded by the turn lock
{
  let source: SequenceSource<RecordedActions<State, Action>>
  private var isReported = false

  init(
    _ entry: Entry, at backend: Backend<State, Action>, in engine: Engine, _ buffering: ActionBuffering
  ) {
    source = SequenceSource(RecordedActions(buffering: buffering))
    super.init(entry, at: backend, in: engine)
  }

  override var kind: ConnectionKind { .consumer }

  override func record(_ action: Action, _ state: Borrowed<State>) {
    let (dropped, wake) = source.change { $0.append((action, state.value)) }
    if let dropped { engine.decide { $0.keep(dropped) } }
    #if DEBUG
    if !isReported, source.read({ $0.isFarBehind }) {
      isReported = true
      engine.report(.slowConsumer, site) { [name = label.text] in
        "10,000 actions wait in \(name), each with its state: choose a bound, or consume values of a slice"
      }
    }
    #endif
    if let wake { engine.deliver(wake) }
  }

  override func connectionEnded() {
    super.connectionEnded()
    if let wake = source.end() { engine.deliver(wake) }
  }
}
