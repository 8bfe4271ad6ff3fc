import Millrace

/// The newest value of a sequence, kept while whoever takes it is busy.
struct NewestValue<Value: Sendable>: Sendable {
  private let slot = Lock<Value?>(nil)

  var isEmpty: Bool { slot.withLock { $0 == nil } }

  /// The newest value, unless it was taken before.
  func take() -> Value? {
    slot.withLock { value in
      defer { value = nil }
      return value
    }
  }

  /// Calls `body` with what keeps the newest of `requests`, and with a signal for when there may be one. The signals
  /// end after the requests have.
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
