/// The values of a slice as an asynchronous sequence: the present one, then each that differs, conflated.
///
/// Records from its creation and ends when the store or scope does. Whoever is slower than the changes gets the
/// newest value and misses those between. For one consumer; nothing is kept but one value. Forgetting the
/// sequence and its iterator disconnects it.
///
/// ```swift
/// for await count in store.values(of: \.count) { print(count) }
/// ```
public struct StoreValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// A value of the slice.
  public typealias Element = Value
  /// It ends, and never fails.
  public typealias Failure = Never

  private let handle: SequenceHandle<ValuesAttachment<Value>>

  init(_ attachment: ValuesAttachment<Value>, in engine: Engine) {
    handle = SequenceHandle(attachment, in: engine)
  }

  /// An iterator over the values. All iterators of one sequence share its one value.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(handle: handle) }

  /// Iterates over the values of a slice.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let handle: SequenceHandle<ValuesAttachment<Value>>

    /// The next value, as soon as there is one; `nil` when the sequence has ended or the task is cancelled.
    public func next() async -> Value? {
      await handle.next()
    }
  }
}

/// The recording side of a sequence of values. Guarded by the turn lock.
final class ValuesAttachment<Value: Equatable & Sendable>:
  Attachment, SequenceSource, @unchecked Sendable  // touched with the turn lock held
{
  let place: Place
  var consumer: UnsafeContinuation<Value?, Never>?
  private(set) var isEnded = false
  private let conflation = Conflation<Value>()

  init(at place: Place) { self.place = place }

  deinit { conflation.destroy() }

  func sliceArrived(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    sliceChanged(slice, engine, outcome)
  }

  func sliceChanged(_ slice: UnsafeRawPointer, _ engine: Engine, _ outcome: Outcome) {
    if isEnded { return }
    _ = conflation.valueArrived(slice.assumingMemoryBound(to: Value.self))
    serveConsumer(outcome)
  }

  func ended(_ engine: Engine, _ outcome: Outcome) {
    isEnded = true
    serveConsumer(outcome)
  }

  func takeNext() -> Value? { conflation.isServing ? conflation.servingAdvanced()?.pointee : nil }

  var work: [any CountedWork] { [] }
  var activity: [StoreActivity.Work] { [] }
}
