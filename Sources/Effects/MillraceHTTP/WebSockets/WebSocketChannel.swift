import Millrace

/// Passes the bytes and the events of one connection to the task that makes the decisions.
///
/// | state | guarded by | until |
/// |---|---|---|
/// | `news` | the lock | the task takes it |
/// | `taker` | the lock | there is news |
/// | `output`, `taken`, `written` | the lock | the channel ends |
/// | `isAbandoned`, `hasEnded` | the lock | the channel ends |
final class WebSocketChannel: Sendable {
  /// An event without a value.
  enum Signal {
    case connected, changed, ticked, timedOut, stopped
  }

  /// Everything that has happened since the task last took the news.
  struct News: Sendable {
    var signals: Set<Signal> = []
    var bytes: [UInt8] = []
    /// The number of bytes that the system has taken in total; `nil` if it has taken no more.
    var written: Int?
    /// How the connection has ended; `nil` if it has not.
    var end: Result<Void, HTTPFailure>?

    var isEmpty: Bool { signals.isEmpty && bytes.isEmpty && written == nil && end == nil }
  }

  private struct State {
    var news = News()
    var taker: CheckedContinuation<News, Never>?
    var output: [UInt8] = []
    /// The number of taken bytes of `output`. They are removed when they are half of it, since each removal costs the
    /// length of the rest.
    var taken = 0
    var written = 0
    var isAbandoned = false
    var hasEnded = false
  }

  /// The number of bytes that are read before the task takes them, unless a single part is larger.
  static let capacity = 256 << 10

  private let state = Lock(State())
  private let wake: @Sendable () -> Void

  /// - Parameter wake: tells the thread that carries the bytes that there is something to write, room for input, or
  ///   that the connection is no longer wanted. Called from any thread, without a lock.
  init(wake: @escaping @Sendable () -> Void = {}) { self.wake = wake }

  // MARK: The thread that carries the bytes

  func arrived(_ bytes: UnsafeRawBufferPointer) { tell { $0.news.bytes += bytes } }

  /// Whether more bytes may be read.
  var hasRoom: Bool { state.withLock { $0.news.bytes.count < Self.capacity } }

  /// Whether the connection is no longer wanted.
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Takes the next bytes to write, as far as there is room. Returns their number.
  func takeOutput(_ room: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      let part = state.output[state.taken...].prefix(room.count)
      room.copyBytes(from: part)
      state.taken += part.count
      if state.taken * 2 >= state.output.count {
        state.output.removeFirst(state.taken)
        state.taken = 0
      }
      return part.count
    }
  }

  func wrote(_ count: Int) {
    tell { state in
      state.written += count
      state.news.written = state.written
    }
  }

  /// The connection has ended. Only the first end counts.
  func ended(_ failure: HTTPFailure?) {
    tell { state in
      guard !state.hasEnded else { return }
      state.hasEnded = true
      state.news.end = failure.map { .failure($0) } ?? .success(())
    }
  }

  // MARK: The deciding task, and news for it

  /// Returns all news as soon as there is some. For one task at a time. A cancellation of the task does not end the
  /// wait: tell `stopped` as well.
  func next() async -> News {
    let news = await withCheckedContinuation { taker in
      state.withLock { $0.taker = taker }
      tell { _ in }
    }
    if news.bytes.count >= Self.capacity { wake() }
    return news
  }

  func write(_ bytes: [UInt8]) {
    state.withLock { $0.output += bytes }
    wake()
  }

  func tell(_ signal: Signal) { tell { $0.news.signals.insert(signal) } }

  /// Closes the connection at once, and ends it for the task.
  func abandon() {
    state.withLock { $0.isAbandoned = true }
    ended(nil)
    wake()
  }

  private func tell(_ change: (inout State) -> Void) {
    let reported = state.withLock { state -> (CheckedContinuation<News, Never>, News)? in
      change(&state)
      guard let taker = state.taker, !state.news.isEmpty else { return nil }
      defer { (state.taker, state.news) = (nil, News()) }
      return (taker, state.news)
    }
    if let (taker, news) = reported { taker.resume(returning: news) }
  }
}
