/// The values of one identity's request during a run: the first one, then those that replace it.
///
/// A consumer that is slower than the changes gets the newest value and misses those in between. For one consumer at a
/// time. The sequence ends when the consuming task is cancelled, as when the run is stopped.
public struct RequestUpdates<Request: Sendable>: AsyncSequence, Sendable {
  /// A value of the request.
  public typealias Element = Request
  /// The sequence never fails.
  public typealias Failure = Never

  /// The value with which the run was started.
  public let first: Request
  private let source: SequenceSource<HandedOver<Request>>

  /// Makes a sequence that begins with `first` and then waits for more values.
  public init(_ first: Request) {
    self.first = first
    source = SequenceSource(HandedOver(pending: first, taken: first))
  }

  /// Adds the next value. It replaces a value that was not taken. Callable from anywhere. For tests that call a
  /// component without a store.
  public func offer(_ request: Request) { hand(request)() }

  /// Ends the sequence, after the value that still waits, if any.
  public func finish() { close().wake?() }

  /// An iterator over the values, the first one included.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updates: self) }

  /// Iterates over the values of one identity.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let updates: RequestUpdates

    /// Returns the next value as soon as there is one; `nil` when the run has been stopped.
    public func next() async -> Request? {
      await updates.source.next(for: "another value of its request")?.request
    }
  }
}

extension RequestUpdates where Request: Equatable {
  /// Returns the newest value to the sequence, unless it was taken from `other` too: a policy takes values before the
  /// effect that it wraps does. A returned value that is left at the end of the run begins another run.
  package func giveBack(unlessTakenFrom other: RequestUpdates) {
    let (served, newest) = (other.source.read { $0.taken }, source.read { $0.taken })
    if newest != served { source.read { $0.giveBack(newest, instead: served) } }
  }
}

extension RequestUpdates: Handover {
  // The turn decides which value is the newest, even if the wakings happen in another order.
  func hand(_ request: any Sendable) -> @Sendable () -> Void {
    guard let request = request as? Request else { return {} }
    let replaced = source.read { $0.put(request) }
    source.endWait()
    withExtendedLifetime(replaced) {}  // released with no lock held
    return { source.change { _ in }.1?() }
  }

  /// Returns the value that the consumer has not taken, if there is one; does not wait.
  package func takeNewest() -> Request? { source.read { $0.takeNext() }?.request }
  func take() { _ = takeNewest() }
  var lastTaken: any Sendable { source.read { $0.taken } }

  func close() -> (isLeft: Bool, wake: (@Sendable () -> Void)?) {
    source.read { $0.isClosed = true }
    let wake = source.end()
    return (source.read { $0.pending != nil && $0.isHandedOver }, wake)
  }
}

/// The newest value of a request that its run has not taken, and the last one that it has taken.
private struct HandedOver<Request: Sendable>: SequenceContents {
  var pending: Request?
  var taken: Request
  /// Whether the value was handed over. The first value was not.
  var isHandedOver = false
  var isClosed = false

  /// - Returns: the value that the new one replaces.
  mutating func put(_ request: Request) -> Request? {
    if isClosed { return nil }
    defer { (pending, isHandedOver) = (request, true) }
    return pending
  }

  mutating func giveBack(_ newest: Request, instead served: Request) {
    if isClosed || pending != nil { return }
    (pending, taken, isHandedOver) = (newest, served, true)
  }

  /// - Returns: the value, and the one before, to be released with no lock held.
  mutating func takeNext() -> (request: Request, former: Request)? {
    guard let pending else { return nil }
    defer { (self.pending, taken) = (nil, pending) }
    return (pending, taken)
  }
}
