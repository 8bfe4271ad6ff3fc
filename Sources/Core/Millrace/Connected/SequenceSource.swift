/// The elements that a sequence has recorded and its consumer has not taken. Guarded by the lock of the sequence.
protocol SequenceContents<Element>: Sendable {
  associatedtype Element: Sendable
  mutating func takeNext() -> Element?
}

/// Records the elements of a sequence, and wakes the one consumer that may wait for them.
///
/// | field | guarded by |
/// |---|---|
/// | `contents`, `consumer`, `isEnded`, all in `state` | its lock |
final class SequenceSource<Contents: SequenceContents>: Sendable {
  private struct Consumer: Sendable {
    let continuation: UnsafeContinuation<Contents.Element?, Never>
    /// The wait of a consumer inside a run, if a test ends it.
    let wait: Wait?

    /// Call it with no lock held.
    func resume(returning element: Contents.Element?) {
      wait?.end()
      continuation.resume(returning: element)
    }
  }

  private struct State {
    var contents: Contents
    var consumer: Consumer?
    var isEnded = false
  }

  private let state: Lock<State>

  init(_ contents: Contents) { state = Lock(State(contents: contents)) }

  /// Accesses the contents without waking a consumer.
  func read<Result>(_ body: (inout Contents) -> Result) -> Result { state.withLock { body(&$0.contents) } }

  /// Changes the contents.
  ///
  /// - Returns: the result of `body`, and a function that wakes a waiting consumer. Call the function with no lock
  ///   held.
  func change<Result>(_ body: (inout Contents) -> Result) -> (Result, (@Sendable () -> Void)?) {
    state.withLock { state in (body(&state.contents), Self.wake(&state)) }
  }

  /// Ends the recording. The consumer still receives the elements that were recorded.
  func end() -> (@Sendable () -> Void)? {
    state.withLock { state in
      state.isEnded = true
      return Self.wake(&state)
    }
  }

  private static func wake(_ state: inout State, isCancelled: Bool = false) -> (@Sendable () -> Void)? {
    guard let consumer = state.consumer else { return nil }
    let element = isCancelled ? nil : state.contents.takeNext()
    if element == nil, !isCancelled, !state.isEnded { return nil }
    state.consumer = nil
    return { consumer.resume(returning: element) }
  }

  /// Returns the next element as soon as there is one; `nil` at the end or when the task is cancelled.
  ///
  /// - Parameter reason: the reason of a wait inside a run that a test ends; `nil` for any other wait.
  func next(for reason: String? = nil) async -> Contents.Element? {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let consumer = Consumer(continuation: continuation, wait: reason.flatMap { Wait(.byTest, for: $0) })
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
          precondition(state.consumer == nil, "a sequence of a store is for one consumer at a time")
          state.consumer = consumer
          return Self.wake(&state) ?? (Task.isCancelled ? Self.wake(&state, isCancelled: true) : nil)
        }
        if let wake { wake() } else { consumer.wait?.begin() }
      }
    } onCancel: {
      state.withLock { Self.wake(&$0, isCancelled: true) }?()
    }
  }

  /// Ends the wait of a waiting consumer, which is woken next.
  func endWait() { state.withLock { $0.consumer?.wait }?.end() }
}

/// The consuming side of a sequence. Ends the connection when the sequence and its iterators are released.
final class SequenceHandle<Contents: SequenceContents>: Sendable {
  let source: SequenceSource<Contents>
  private let connected: Connected
  private let engine: Engine

  init(_ source: SequenceSource<Contents>, at connected: Connected, in engine: Engine) {
    self.source = source
    self.connected = connected
    self.engine = engine
  }

  deinit { engine.locked { engine.end(connected) } }
}
