import Millrace

/// A stream whose elements a test sends.
///
/// Give it to code under test instead of a client's stream. A reader waits until the test sends an element:
///
/// ```swift
/// let prices = TestStream<Int>()
/// let reading = Task { await prices.first { $0 > 1 } }
/// prices.send(1)
/// prices.send(2)
/// prices.finish()
/// #expect(await reading.value == 2)
/// ```
///
/// Unread elements are kept. Each element goes to one reader. A test's store counts a waiting reader as waiting for the
/// test. A reader whose task is cancelled gets `nil`. All members can be used from any thread.
///
/// For a client whose stream can fail, send `Result` values: `stream.map { try $0.get() }`.
public final class TestStream<Element: Sendable>: AsyncSequence, Sendable {
  /// The stream never fails.
  public typealias Failure = Never

  private let state = Lock(TestStreamState<Element, SuspendedTask>())  // all that changes

  /// Makes a stream without elements.
  public init() {}

  /// The number of tasks that wait for an element.
  public var readerCount: Int { state.withLock { $0.reading.count } }

  /// The number of unread elements.
  public var unreadCount: Int { state.withLock { $0.elements.count } }

  /// Sends an element. Returns at once. Does nothing after the end.
  public func send(_ element: Element) { state.withLock { $0.sent(element) }.perform() }

  /// Ends the stream after its unread elements.
  public func finish() { state.withLock { $0.finished() }.perform() }

  /// Waits until at least `count` tasks wait for an element.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before that.
  public nonisolated(nonsending) func readers(atLeast count: Int) async throws(CancellationError) {
    try await state.wait(in: \.watching) { state, ticket, task in
      state.watching.suspended(ticket, waiter: task, for: count, isReached: count <= state.reading.count)
    }
  }

  /// An iterator over the elements not read yet.
  public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

  /// Reads elements of a stream.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let stream: TestStream

    /// Returns the next element as soon as the test has sent it; `nil` at the end, or if the task is cancelled.
    public func next() async -> Element? {
      while true {
        do throws(CancellationError) {
          try await stream.state.wait(in: \.reading, for: "a test stream") { state, ticket, task in
            state.readerArrived(ticket, task)
          }
        } catch {
          return nil
        }
        switch stream.state.withLock({ $0.take() }) {
        case .element(let element): return element
        case .end: return nil
        case .nothing: continue  // another reader has taken it
        }
      }
    }
  }
}
