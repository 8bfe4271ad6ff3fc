/// The values of a slice as an asynchronous sequence: the current one, then each one that differs.
///
/// The sequence records from its creation and ends when the store or scope ends. A consumer that is slower than the
/// changes gets the newest value and misses those in between; only one value is kept. For one consumer. Releasing the
/// sequence and its iterator disconnects it.
///
/// ```swift
/// for await count in store.values(of: \.count) { print(count) }
/// ```
public struct StoreValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// A value of the slice.
  public typealias Element = Value
  /// The sequence never fails.
  public typealias Failure = Never

  private let handle: SequenceHandle<NewestValue<Value>>

  init(_ handle: SequenceHandle<NewestValue<Value>>) { self.handle = handle }

  /// Returns an iterator over the values. All iterators of one sequence share its one buffered value.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(handle: handle) }

  /// Iterates over the values of a slice.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let handle: SequenceHandle<NewestValue<Value>>

    /// Returns the next value as soon as there is one; `nil` when the sequence has ended or the task is cancelled.
    public func next() async -> Value? {
      while let box = await handle.source.next() {
        let last = handle.source.read { contents in
          defer { contents.given = box }
          return contents.given
        }
        if let last, Borrowed.areEqual(last.borrowed, box.borrowed) { continue }
        return box.value
      }
      return nil
    }
  }
}

/// The value that the consumer has not taken, and the last one that it took.
struct NewestValue<Value: Sendable>: SequenceContents {
  var newest: Box<Value>?
  var given: Box<Value>?

  mutating func takeNext() -> Box<Value>? {
    defer { newest = nil }
    return newest
  }
}

/// A connected sequence of values.
final class SequenceDisplay<Value: Equatable & Sendable>: Display, @unchecked Sendable {  // as a display
  let source = SequenceSource(NewestValue<Value>())

  init(_ entry: Entry) { super.init(entry, .consumer) }

  override var kind: ConnectionKind { .consumer }

  override func record(_ box: AnyObject, _ released: ReleasedValues) -> (@Sendable () -> Void)? {
    let box = known(box, Value.self)
    let (old, wake) = source.change { contents in
      defer { contents.newest = box }
      return contents.newest
    }
    if let old { released.append(old) }
    return wake
  }

  override func recordEnd() -> (@Sendable () -> Void)? { source.end() }
}
