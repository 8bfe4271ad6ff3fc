import Millrace

/// The shapes that users write first: slices by closure, an effect on a whole store, an array in a watched slice,
/// sending through a scope.
enum Shapes {
  static let cases = [
    BenchmarkCase(name: "closures/props-1000", unit: "ns/action") { effort in
      try await closures(effort.count(5_000), Small(), kind: .props, slices: 1_000)
    },
    BenchmarkCase(name: "closures/when-1000", unit: "ns/action") { effort in
      try await closures(effort.count(5_000), Small(), kind: .when, slices: 1_000)
    },
    BenchmarkCase(name: "closures/scope-1000", unit: "ns/action") { effort in
      try await closures(effort.count(5_000), Small(), kind: .scope, slices: 1_000)
    },
    BenchmarkCase(name: "closures/props-100-of-96KB", unit: "ns/action") { effort in
      try await closures(effort.count(2_000), Large(), kind: .props, slices: 100)
    },
    BenchmarkCase(name: "closures/props-1000-of-96KB", unit: "ns/action") { effort in
      try await closures(effort.count(400), Large(), kind: .props, slices: 1_000)
    },
    BenchmarkCase(name: "array/watched-100000", unit: "ns/action") { effort in
      try await rows(effort.count(500)) { store in
        let component = RowsWatcher()
        store.connect(component, to: \.rows)
      }
    },
    BenchmarkCase(name: "array/effect-on-whole-100000", unit: "ns/action") { effort in
      try await rows(effort.count(200_000), oneByOne: false) { store in store.connect(WholeEffect()) }
    },
    BenchmarkCase(name: "array/effect-in-scope-100000", unit: "ns/action") { effort in
      try await rows(effort.count(500)) { store in
        let scope = store.scope(\.rows)
        scope.connect(when: { $0.isEmpty ? 1 : nil }, run: { (_: Int, _) in })
      }
    },
    BenchmarkCase(name: "array/when-on-whole-100000", unit: "ns/action") { effort in
      try await rows(effort.count(200_000), oneByOne: false) { store in
        store.connect(when: { $0.selected > 0 ? $0.selected : nil }, run: { _, _ in })
      }
    },
    BenchmarkCase(name: "throughput/through-scope", unit: "ns/action") { effort in
      try await throughScope(effort.count(500_000))
    },
  ]

  // MARK: Closures

  /// A state with a number that closures read.
  protocol Counted: Equatable, Sendable {
    var count: Int { get set }
  }

  struct Small: Counted { var (count, other) = (0, 0) }

  struct Large: Counted {
    var count = 0
    /// 12,000 numbers of 8 bytes.
    var body = Ten(repeating: Ten(repeating: Ten(repeating: Four(repeating: Three(repeating: 0)))))
  }

  private enum Kind { case props, when, scope }

  private static func closures<State: Counted>(
    _ count: Int, _ state: State, kind: Kind, slices: Int
  ) async throws -> Double {
    let store = Store(initialState: state) { (state: inout State, _: Counting.Action) in state.count += 1 }
    let watcher = Watcher()
    var scopes: [Store<Int, Counting.Action>] = []
    for index in 0..<slices {
      // Only one of them changes with each action.
      let part = index == 0 ? 1 : Int.max
      switch kind {
      case .props: store.connect(index == 0 ? watcher : Watcher(), props: { $0.count / part })
      case .when: store.connect(when: { $0.count / part > 0 ? -part : nil }, run: { _, _ in })
      case .scope:
        let scope = store.scope(computed: { $0.count / part })
        scope.connect(index == 0 ? watcher : Watcher(), to: \.self)
        scopes.append(scope)
      }
    }
    await store.settled()
    let watch = Stopwatch()
    for _ in 0..<count { await store.send(.increment) }
    await store.settled()
    let cost = watch.nanoseconds(per: count)
    try expect("actions reduced", store.state.count, is: count)
    if kind != .when { try expect("latest props", watcher.last, is: count) }
    withExtendedLifetime(scopes) {}
    return cost
  }

  // MARK: Arrays

  private final class RowsWatcher: Component {
    func update(_ rows: [LargeArray.Row]) async {}
  }

  private struct WholeEffect: EffectComponent {
    typealias Action = LargeArray.Action
    func requests(in state: LargeArray.State) -> Set<Int> { [state.selected] }
    func run(_ selected: Int, send: Send<LargeArray.Action>) async {}
  }

  private typealias ArrayStore = Store<LargeArray.State, LargeArray.Action>

  /// Changes one of 100,000 rows at a time.
  ///
  /// - Parameter oneByOne: whether each action waits until the previous one is reduced. A component that copies the
  ///   rows does so only once for all actions that are drained together.
  private static func rows(
    _ count: Int, oneByOne: Bool = true, _ connect: (ArrayStore) -> Void
  ) async throws -> Double {
    let rows = (0..<100_000).map { LargeArray.Row(title: "The title of row \($0)") }
    let store = Store(initialState: LargeArray.State(rows: rows), reduce: LargeArray.reduce)
    connect(store)
    await store.settled()
    let watch = Stopwatch()
    for number in 0..<count {
      let action = LargeArray.Action.rowChanged(number % rows.count)
      if oneByOne { await store.send(action) } else { store.dispatch(action) }
    }
    await store.settled()
    let cost = watch.nanoseconds(per: count)
    try expect("rows changed", store.state.rows.reduce(0) { $0 + $1.value }, is: count)
    return cost
  }

  // MARK: Scopes

  private struct Nest: Equatable, Sendable { var counting = Counting() }

  private static func throughScope(_ count: Int) async throws -> Double {
    let store = Store(initialState: Nest()) { (nest: inout Nest, action: Counting.Action) in
      Counting.reduce(&nest.counting, action)
    }
    let scope = store.scope(\.counting)
    let watch = Stopwatch()
    for _ in 0..<count { scope.dispatch(.increment) }
    await store.settled()
    let cost = watch.nanoseconds(per: count)
    try expect("actions reduced", store.state.counting.count, is: count)
    return cost
  }
}
