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

  /// Takes leases, and works on their partitions.
  struct Work<E: Engine, C: Clock>: EffectComponent where C.Duration == Duration {
    typealias Failure = any Error
    let engine: E
    let name: String
    let time: Duration
    let clock: C

    func requests(in hands: Set<Int>) -> Set<Int> { hands }
    func action(for failure: any Error, of hand: Int) -> Action { .gaveUp("\(failure)") }

    func run(_ hand: Int, send: Send<Action>) async throws {
      while !Task.isCancelled {
        guard let lease = try await engine.lease(to: "\(name) \(hand)", for: time) else {
          try await clock.sleep(for: .milliseconds(50))
          continue
        }
        try await work(on: lease, send: send)
      }
    }

    /// Works until the lease is lost, or there is nothing left to do.
    private func work(on lease: Lease, send: Send<Action>) async throws {
      var renewed = clock.now
      while !Task.isCancelled {
        if renewed.duration(to: clock.now) > time / 3 {
          renewed = clock.now
          guard try await engine.renew(lease, for: time) else { break }
        }
        let queued = try await engine.next(of: lease, limit: 64)
        if queued.isEmpty {
          _ = try await engine.renew(lease, for: .zero)  // gives the lease up for other workers
          try await clock.sleep(for: .milliseconds(10))
          return
        }
        let packed = queued.map { queued in
          var packed = queued
          if case .message(var message) = queued.content {
            message.order.isPacked = true
            packed.content = .message(message)
          }
          return packed
        }
        guard try await engine.finish(packed, of: lease) else { break }
        await send(.packed(packed.count))
      }
      await send(.lost(lease))
    }
  }

  static func connect(
    to store: Store<State, Action>, engine: some Engine, name: String, lease: Duration
  ) {
    let work = Work(engine: engine, name: name, time: lease, clock: ContinuousClock()).supervised(
      restarts: 100, within: .seconds(60), by: Backoff(first: .milliseconds(50), cap: .seconds(1)),
      restarting: { restart, _ in .failed("\(restart.failure)") })
    store.connect(work, to: \.hands, longRunning: true)
  }
}
