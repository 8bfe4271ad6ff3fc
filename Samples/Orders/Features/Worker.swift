import Millrace
import MillraceEffects

/// Packs orders. Each of its runs works on one partition at a time.
enum Worker {
  struct State: Equatable, Sendable {
    var hands: Set<Int>
    var packed = 0
    var lost = 0
    var failures = 0
    var isBroken = false
  }

  enum Action: Codable, Sendable {
    case packed(Int)
    case lost(Lease)
    case failed(String)
    case gaveUp(String)
  }

  static let reduce: Reducer<State, Action> = { state, action in
    switch action {
    case .packed(let count): state.packed += count
    case .lost: state.lost += 1
    case .failed: state.failures += 1
    case .gaveUp: state.isBroken = true
    }
  }

  /// Takes leases, one at a time, and packs the orders of their partitions.
  struct Work<E: Engine, C: Clock>: EffectComponent where C.Duration == Duration {
    typealias Failure = any Error
    let engine: E
    let name: String
    let time: Duration
    let clock: C

    func requests(in hands: Set<Int>) -> Set<Int> { hands }
    func action(for failure: any Error, of hand: Int) -> Action { .gaveUp("\(failure)") }

    func run(_ hand: Int, send: Send<Action>) async throws {
      let worker = "\(name) \(hand)"
      var scarce = 0
      while !Task.isCancelled {
        let count = try await pack(as: worker, send: send)
        // A lease and its end cost the engine two writes, for one order as for 64. A run that finds few orders waits
        // longer and finds more next time. So the more runs there are, the less often each of them writes.
        scarce = count < Self.limit ? scarce + 1 : 0
        try await clock.sleep(for: Self.pause.delay(before: scarce + 1, of: worker))
      }
    }

    /// Packs the oldest orders of one partition, up to the limit. Returns their number.
    private func pack(as worker: String, send: Send<Action>) async throws -> Int {
      guard let lease = try await engine.lease(to: worker, for: time) else { return 0 }
      let packed = try await engine.next(of: lease, limit: Self.limit).map { queued in
        var packed = queued
        if case .message(var message) = queued.content {
          message.order.isPacked = true
          packed.content = .message(message)
        }
        return packed
      }
      let isOurs = try await engine.finish(packed, of: lease)
      await send(isOurs ? .packed(packed.count) : .lost(lease))
      return packed.count
    }

    private static var limit: Int { 64 }
    private static var pause: Backoff { Backoff(first: .milliseconds(10), cap: .milliseconds(200)) }
  }

  static func connect(
    to store: Store<State, Action>, engine: some Engine, name: String, lease: Duration,
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    let work = Work(engine: engine, name: name, time: lease, clock: clock).supervised(
      restarts: 100, within: .seconds(60), by: Backoff(first: .milliseconds(50), cap: .seconds(1)),
      restarting: { restart, _ in .failed("\(restart.failure)") })
    store.connect(work, to: \.hands, longRunning: true)
  }
}
