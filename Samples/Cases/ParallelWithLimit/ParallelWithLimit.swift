import Millrace
import MillraceEffects
import MillraceTesting
import MillraceTrace

/// Files that are converted, three at a time, with a count for a progress bar.
nonisolated enum ParallelWithLimit {
  struct State: Equatable, Sendable {
    var waiting: Set<Int> = []
    var total = 0
    var progress: String { "\(total - waiting.count) of \(total)" }
  }

  enum Action: Codable, Equatable, Sendable {
    case added(Set<Int>)
    case converted(Int)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .added(let files):
      state.waiting.formUnion(files)
      state.total += files.count
    case .converted(let file): state.waiting.remove(file)
    }
  }

  static func connect(to store: Store<State, Action>, convert: @escaping @Sendable (Int) async -> Void) {
    let conversion = Effect { (file: Int, send: Send<Action>) in
      await convert(file)
      await send(.converted(file))
    }
    store.connect(conversion.limited(to: 3), when: \.waiting)
  }
}

nonisolated extension Case {
  static let parallelWithLimit = Case(
    name: "parallel", symptom: "a thousand conversions begin at once, and nobody knows how far they are"
  ) { say in
    let gate = Gate()
    let store = Store(
      initialState: ParallelWithLimit.State(), on: .immediate, reduce: ParallelWithLimit.reduce)
    try store.recordIfAsked()
    ParallelWithLimit.connect(to: store) { _ in await gate.waitIgnoringCancellation() }
    store.dispatch(.added(Set(1...7)))
    for done in [3, 3, 1] {
      try await gate.waiters(atLeast: done)
      say("\(store.state.progress), \(gate.waiterCount) in progress")
      let target = store.state.waiting.count - done
      gate.pass(done)
      _ = await store.first { $0.waiting.count == target }
    }
    await store.settled()
    say(store.state.progress)
    await store.shutdown()
  }
}
