import Millrace

/// The newest value of a sequence, kept until its consumer takes it.
struct NewestValue<Value: Sendable>: Sendable {
  private let slot = Lock<Value?>(nil)

  var isEmpty: Bool { slot.withLock { $0 == nil } }

  /// Returns the newest value, and removes it; `nil` if it was already taken.
  func take() -> Value? {
    slot.withLock { value in
      defer { value = nil }
      return value
    }
  }

  /// Calls `body` with the keeper of the newest of `requests`, and with a stream that signals when there may be a new
  /// value. The stream ends after the requests have ended.
  ///
  /// - Parameter kept: called with each value after it has been kept, with no lock held.
  static func collect<Request>(
    _ requests: RequestUpdates<Request>, as stamped: @escaping @Sendable (Request) -> Value,
    kept: @escaping @Sendable (Value) -> Void = { _ in },
    _ body: (NewestValue, AsyncStream<Void>) async -> Void
  ) async {
    let newest = NewestValue()
    let (arrivals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup { group in
      group.addTask {
        for await request in requests {
          let value = stamped(request)
          newest.slot.withLock { $0 = value }
          kept(value)
          signal.yield()
        }
        signal.finish()
      }
      await body(newest, arrivals)
    }
  }
}
