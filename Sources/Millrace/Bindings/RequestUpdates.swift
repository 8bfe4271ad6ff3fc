/// The values that one identity's request takes while its run goes on: the first one, then those that
/// replace it.
///
/// Conflated: whoever is slower than the changes gets the newest value and misses those between. For one
/// consumer at a time. Ends when the task that iterates is cancelled, which is what stopping a run does.
public struct RequestUpdates<Request: Sendable>: AsyncSequence, Sendable {
  /// A value of the request.
  public typealias Element = Request
  /// It ends, and never fails.
  public typealias Failure = Never

  /// The value with which the run was started.
  public let first: Request
  private let storage: Lock<State>

  private struct State {
    var pending: Request?
    var waiter: UnsafeContinuation<Request?, Never>?
    var ended = false
    /// Whether the pending value was handed over, rather than the one that the run was started with.
    var isHandedOver = false
  }

  /// Makes a sequence that begins with `first` and, unless more is offered, waits after it.
  public init(_ first: Request) {
    self.first = first
    storage = Lock(State(pending: first))
  }

  /// Hands over the next value, in place of one that nobody has taken yet. Callable from anywhere; use it in a
  /// test that runs a component by hand.
  public func offer(_ request: Request) {
    put(request)
    wake()
  }

  /// The first half of `offer`: which value is the newest is decided in the turn, however the wakings overtake each
  /// other.
  func put(_ request: Request) {
    let replaced = storage.withLock { state -> Request? in
      if state.ended { return nil }
      defer {
        state.pending = request
        state.isHandedOver = true
      }
      return state.pending
    }
    withExtendedLifetime(replaced) {}  // released with no lock held
  }

  /// Ends the sequence when the run has returned.
  ///
  /// - Returns: whether a value that was handed over has not been taken.
  func close() -> Bool {
    finish()
    return storage.withLock { $0.pending != nil && $0.isHandedOver }
  }

  /// The second half, which resumes a task: hands the newest value to a consumer that waits.
  func wake() {
    let resumption = storage.withLock { state -> (UnsafeContinuation<Request?, Never>, Request)? in
      guard let waiter = state.waiter, let request = state.pending else { return nil }
      state.waiter = nil
      state.pending = nil
      return (waiter, request)
    }
    if let (waiter, request) = resumption { waiter.resume(returning: request) }
  }

  /// Ends the sequence after a value that still waits.
  public func finish() {
    let waiter = storage.withLock { state in
      state.ended = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  /// An iterator over the values, the first one included.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updates: self) }

  /// Iterates over the values of one identity.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let updates: RequestUpdates

    /// The next value, as soon as there is one; `nil` when the run has been stopped.
    public func next() async -> Request? { await updates.next() }
  }

  private func next() async -> Request? {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let taken: Request?? = storage.withLock { state in
          if let pending = state.pending {
            state.pending = nil
            return .some(pending)
          }
          if state.ended || Task.isCancelled {
            return .some(nil)
          }
          precondition(state.waiter == nil, "RequestUpdates is for one consumer at a time")
          state.waiter = continuation
          return nil
        }
        if let taken { continuation.resume(returning: taken) }
      }
    } onCancel: {
      finish()
    }
  }
}
