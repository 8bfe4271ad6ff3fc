import Millrace

/// Ten nested scopes. Actions are sent through the innermost, which also has a watcher.
enum Depth {
  static let cases = [
    BenchmarkCase(name: "depth/10", unit: "ns/action") { effort in
      try await increments(effort.count(200_000))
    }
  ]

  typealias Two<Leaf: Nested> = Level<Level<Leaf>>
  typealias Root = Two<Two<Two<Two<Two<Counting>>>>>

  private static func increments(_ count: Int) async throws -> Double {
    let store = Store(initialState: Root(), on: .immediate, reduce: Root.reduce)
    let leaf = two(two(two(two(two(store)))))
    let watcher = Watcher()
    leaf.connect(watcher, to: \.count)
    await store.settled()
    let watch = Stopwatch()
    for _ in 0..<count { leaf.dispatch(.increment) }
    await store.settled()
    let cost = watch.nanoseconds(per: count)
    try expect("actions reduced", leaf.state.count, is: count)
    try expect("latest props", watcher.last, is: count)
    try expect(watcher.isAscending, "the watcher was given a value out of order")
    return cost
  }

  private static func two<Leaf: Nested>(
    _ store: Store<Two<Leaf>, Two<Leaf>.Action>
  ) -> Store<Leaf, Leaf.Action> {
    store.scope(\.child, action: Two<Leaf>.Action.child)
      .scope(\.child, action: Level<Leaf>.Action.child)
  }
}

/// A state with its own reducer, so that it can be nested.
protocol Nested: Equatable, Sendable {
  associatedtype Action: Sendable
  init()
  static func reduce(_ state: inout Self, _ action: Action)
}

extension Counting: Nested {}

/// A module that holds one other module.
struct Level<Child: Nested>: Nested {
  var child = Child()

  enum Action: Sendable { case child(Child.Action) }

  static func reduce(_ state: inout Self, _ action: Action) {
    switch action {
    case .child(let action): Child.reduce(&state.child, action)
    }
  }
}
