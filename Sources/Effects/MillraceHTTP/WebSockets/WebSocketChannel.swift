import Millrace

/// What a channel asks of the thread that carries its bytes. Called from any thread, without a lock.
protocol SocketWire: Sendable {
  /// There is something to write, room for what is to be read, or nobody wants the connection any more.
  func wake()
}

/// Makes connections that carry bytes.
protocol SocketTransport: Sendable {
  /// Connects to the host of an address, by TLS if its scheme is `https`. Whether that succeeds, the channel learns later.
  func open(_ address: HTTPAddress) -> WebSocketChannel
}

/// Leads the bytes of one connection, and everything else that concerns it, to the task that decides.
///
/// | state | guarded by | ends |
/// |---|---|---|
/// | `news` | the lock | when the task has taken it |
/// | `taker` | the lock | when there is news |
/// | `output`, `taken`, `written` | the lock | with the channel |
/// | `isAbandoned`, `hasEnded` | the lock | with the channel |
final class WebSocketChannel: Sendable {
  /// Everything that has happened since the last time that the task has looked.
  struct News: Sendable {
    var isConnected = false
    var bytes: [UInt8] = []
    /// How many bytes the system has taken in all, if it has taken more.
    var written: Int?
    var isChanged = false
    var isTicked = false
    var isTimedOut = false
    var isStopped = false
    /// How the connection has ended.
    var end: Result<Void, HTTPFailure>?

    var isEmpty: Bool {
      !isConnected && bytes.isEmpty && written == nil && !isChanged && !isTicked && !isTimedOut && !isStopped
        && end == nil
    }
  }

  private struct State {
    var news = News()
    var taker: CheckedContinuation<News, Never>?
    var output: [UInt8] = []
    /// How much of `output` was taken. It is removed when it is half of it: each time would cost the rest's length.
    var taken = 0
    var written = 0
    var isAbandoned = false
    var hasEnded = false
  }

  /// How much is read ahead of the task, in bytes, unless one part alone is larger.
  static let capacity = 256 << 10

  private let state = Lock(State())
  private let wire: any SocketWire

  init(wire: any SocketWire) { self.wire = wire }

  // MARK: The thread that carries the bytes

  func connected() { tell { $0.news.isConnected = true } }

  func arrived(_ bytes: UnsafeRawBufferPointer) { tell { $0.news.bytes += bytes } }

  /// Whether more may be read.
  var hasRoom: Bool { state.withLock { $0.news.bytes.count < Self.capacity } }

  /// Whether nobody wants the connection any more.
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Takes what is to be written next, as far as there is room. Returns how much.
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

  /// The connection is over. Only the first end counts.
  func ended(_ failure: HTTPFailure?) {
    tell { state in
      guard !state.hasEnded else { return }
      state.hasEnded = true
      state.news.end = failure.map { .failure($0) } ?? .success(())
    }
  }

  // MARK: The task that decides, and whoever has news for it

  /// Returns everything that is new, as soon as something is. For one task at a time. Cancelling the task does
  /// not end the wait: call `stopped` as well.
  func next() async -> News {
    let news = await withCheckedContinuation { taker in
      state.withLock { $0.taker = taker }
      tell { _ in }
    }
    if news.bytes.count >= Self.capacity { wire.wake() }
    return news
  }

  func write(_ bytes: [UInt8]) {
    state.withLock { $0.output += bytes }
    wire.wake()
  }

  func changed() { tell { $0.news.isChanged = true } }
  func ticked() { tell { $0.news.isTicked = true } }
  func timedOut() { tell { $0.news.isTimedOut = true } }
  func stopped() { tell { $0.news.isStopped = true } }

  /// Cuts the connection, and ends it for the task.
  func abandon() {
    state.withLock { $0.isAbandoned = true }
    ended(nil)
    wire.wake()
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
