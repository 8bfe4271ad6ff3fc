import Millrace
import MillraceEffects
import MillraceTesting
import MillraceTrace

/// Lookups of addresses at a service that allows three at once and one more every ten seconds.
nonisolated enum Quota {
  struct State: Equatable, Sendable {
    var unknown: [String] = []
    var places: [String: String] = [:]
  }

  enum Action: Codable, Equatable, Sendable {
    case added([String])
    case found(String, String)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .added(let addresses): state.unknown += addresses
    case .found(let address, let place):
      state.unknown.removeAll { $0 == address }
      state.places[address] = place
    }
  }

  /// - Parameter quota: the bucket shared by everything that uses the service.
  static func connect(
    to store: Store<State, Action>, quota: TokenBucket, find: @escaping @Sendable (String) async -> String
  ) {
    let lookup = Effect { (address: String, send: Send<Action>) in
      await send(.found(address, await find(address)))
    }
    store.connect(lookup.rateLimited(by: quota), when: { Set($0.unknown) })
  }
}

nonisolated extension Case {
  static let quota = Case(
    name: "quota", symptom: "a service answers 429 to everything after the first import of the day"
  ) { say in
    let clock = TestClock()
    let quota = TokenBucket(capacity: 3, refilledEvery: .seconds(10), clock: clock)
    let store = Store(initialState: Quota.State(), on: .immediate, reduce: Quota.reduce)
    try store.recordIfAsked()
    Quota.connect(to: store, quota: quota) { "the place of \($0)" }
    store.dispatch(.added(["a", "b", "c", "d", "e"]))
    for found in 3...5 {
      _ = await store.first { $0.places.count == found }
      say("after \(clock.now): \(found) found")
      guard found < 5 else { break }
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(10))
    }
    await store.shutdown()
  }
}
