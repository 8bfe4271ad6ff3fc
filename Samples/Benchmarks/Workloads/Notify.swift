import Millrace

/// A thousand watchers of one slice that every action changes, without conflation.
enum Notify {
  static let cases = [
    BenchmarkCase(
      name: "notify/one-slice/1000", unit: "ns/notification", baseline: [Baselines.dispatchAsync],
      target: 1.0 / 3
    ) { effort in
      try await notifications(effort.count(200), watchers: 1_000)
    },
    BenchmarkCase(
      name: "notify/views/1000", unit: "ns/notification", baseline: [Baselines.dispatchAsync],
      target: 1.0 / 3
    ) { effort in
      try await viewNotifications(effort.count(200), views: 1_000)
    },
    BenchmarkCase(
      name: "notify/effects/1000", unit: "ns/notification", baseline: [Baselines.dispatchAsync],
      target: 1.0 / 3
    ) { effort in
      try await effectNotifications(effort.count(200), effects: 1_000)
    },
  ]

  private static func notifications(_ actions: Int, watchers count: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let watchers = (0..<count).map { _ in Watcher() }
    for watcher in watchers { store.connect(watcher, to: \.count) }
    let cost = await cost(of: actions, in: store, watchers: count)
    try expect("notifications", watchers.reduce(0) { $0 + $1.deliveries }, is: (actions + 1) * count)
    try expect("latest props", watchers.count { $0.last == actions }, is: count)
    return cost
  }

  /// Fan-out to views, which one job of the main actor serves.
  @MainActor
  private static func viewNotifications(_ actions: Int, views count: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let views = (0..<count).map { _ in Label() }
    for view in views { store.connect(view, to: \.count) }
    let cost = await cost(of: actions, in: store, watchers: count)
    try expect("notifications", views.reduce(0) { $0 + $1.deliveries }, is: (actions + 1) * count)
    try expect("latest props", views.count { $0.props == actions }, is: count)
    return cost
  }

  /// Fan-out to effects, whose `requests(in:)` is called on the reducer queue after every action, and returns none.
  private static func effectNotifications(_ actions: Int, effects count: Int) async throws -> Double {
    let store = Store(initialState: Counting(), reduce: Counting.reduce)
    let effects = (0..<count).map { _ in Asked() }
    for effect in effects { store.connect(effect, to: \.count, action: { (_: Never) -> Counting.Action in }) }
    let cost = await cost(of: actions, in: store, watchers: count)
    try expect("notifications", effects.reduce(0) { $0 + $1.notifications.count }, is: (actions + 1) * count)
    return cost
  }

  private struct Asked: EffectComponent {
    final class Notifications: @unchecked Sendable {  // read once the store has settled
      var count = 0
    }

    let notifications = Notifications()

    func requests(in count: Int) -> Set<Int> {
      notifications.count += 1
      return count < 0 ? [count] : []
    }

    func run(_ request: Int, send: Send<Never>) async {}
  }

  /// The time for each notification, one action after the other.
  private static func cost(
    of actions: Int, in store: Store<Counting, Counting.Action>, watchers: Int
  ) async -> Double {
    await store.settled()
    let watch = Stopwatch()
    for _ in 0..<actions {
      store.dispatch(.increment)
      await store.settled()
    }
    return watch.nanoseconds(per: actions * watchers)
  }

  private final class Label: ViewComponent {
    private(set) var deliveries = 0
    var props = Int.min { didSet { deliveries += 1 } }
  }
}
