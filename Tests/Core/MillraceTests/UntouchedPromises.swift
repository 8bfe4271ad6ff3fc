import Millrace
import MillraceTesting
import Testing

/// C4: where a slice did not change, nothing under it is evaluated or called.
@Suite("What did not change", .timeLimit(.minutes(10)))
struct UntouchedPromises {
  struct App: Equatable, Sendable {
    var left = Side()
    var right = Side()
  }

  struct Side: Equatable, Sendable {
    var a = 0
    var b = 0
  }

  enum Action: Sendable {
    case left(Int)
    case right(Int)
    case leftB(Int)
  }

  private let calls = Recorder<String>()

  private func store(_ queue: Queue) -> Store<App, Action> {
    Store(initialState: App(), on: queue.queue) { app, action in
      switch action {
      case .left(let step): app.left.a += step
      case .right(let step): app.right.a += step
      case .leftB(let step): app.left.b += step
      }
    }
  }

  private func counted(_ name: String) -> @Sendable (Side) -> Int {
    { [calls] side in
      calls.append(name)
      return side.a
    }
  }

  @Test("C4: selectors and requests under a slice are called only when it changed", arguments: Queue.allCases)
  func untouched(queue: Queue) async {
    let store = store(queue)
    for (name, side) in [("left", \App.left), ("right", \App.right)]
      as [(String, any KeyPath<App, Side> & Sendable)]
    {
      let scope = store.scope(side, action: { (action: Action) in action })
      scope.connect(RecordingComponent<Int>(), props: counted("\(name) component"))
      let selector = counted("\(name) effect")
      scope.connect(when: { Optional(selector($0)) }, run: { _, _ in })
    }
    await store.settled()
    let atConnect = calls.count
    for _ in 0..<10 { await store.send(.left(1)) }
    await store.settled()
    let afterLeft = Array(calls.values.dropFirst(atConnect))
    #expect(afterLeft.allSatisfy { $0.hasPrefix("left") })
    #expect(afterLeft.filter { $0 == "left effect" }.count == 10)
    #expect(afterLeft.contains("left component"))
    for _ in 0..<10 { await store.send(.left(0)) }
    await store.settled()
    #expect(calls.count == atConnect + afterLeft.count)
  }

  @Test("C4: requests(in:) is not called where an equal slice has other bytes", arguments: [false, true])
  func equalInOtherBytes(isComputed: Bool) async {
    struct Shelf: Sendable { var rows = [1, 2] }
    struct Counted: EffectComponent {
      let calls: Recorder<String>
      func requests(in rows: [Int]) -> Set<Int> {
        calls.append("requests")
        return [rows.count]
      }
      func run(_ request: Int, send: Send<Int>) async {}
    }
    let store = Store(initialState: Shelf(), on: .immediate) { (shelf: inout Shelf, step: Int) in
      shelf.rows = shelf.rows.map { $0 + step }
    }
    if isComputed {
      store.scope(computed: { $0.rows }).connect(Counted(calls: calls))
    } else {
      store.connect(Counted(calls: calls), to: \.rows)
    }
    await store.settled()
    store.dispatch(0)
    #expect(calls.count == 1)
    store.dispatch(1)
    #expect(calls.count == 2)
    await store.settled()
  }

  @Test("C4: what is connected beneath a slice that changed before is not called for it")
  func connectedLater() async {
    let store = store(.immediate)
    let scope = store.scope(\.left, action: { (action: Action) in action })
    scope.connect(when: { Optional($0.b) }, run: { _, _ in })
    store.dispatch(.left(1))  // marks the slice, which no component watches yet
    await store.settled()
    scope.connect(RecordingComponent<Int>(), props: counted("component"))
    await store.settled()
    let atConnect = calls.count
    await store.settled(after: .right(1))
    #expect(calls.count == atConnect)
  }

  @Test("C4: what takes the place of a slice's last component in a batch is not called for its change")
  func exchanged() async {
    struct Exchange: EffectComponent {
      let body: @Sendable () -> Void
      func requests(in side: Side) -> Set<Int> {
        if side.a == 1 { body() }
        return []
      }
      func run(_ request: Int, send: Send<Action>) async {}
    }
    let store = store(.immediate)
    let scope = store.scope(\.left, action: { (action: Action) in action })
    let former = scope.connect(RecordingComponent<Int>(), to: \.a)
    let selector = counted("component")
    scope.connect(
      Exchange { [weak store] in
        former.disconnect()
        store?.scope(\.left, action: { (action: Action) in action })
          .connect(RecordingComponent<Int>(), props: selector)
      })
    await store.settled(after: .left(1))
    #expect(calls.values == ["component"])
  }

  @Test("C4: equal key paths are evaluated once for all who watch them, and no more when none is left")
  func shared() async {
    let store = store(.immediate)
    let scopes = (0..<3).map { _ in store.scope(\.left, action: { (action: Action) in action }) }
    let connections = scopes.map { $0.connect(RecordingComponent<Int>(), to: \.a) }
    await store.settled()
    #expect(store.sliceCount == 1)
    for connection in connections { connection.disconnect() }
    #expect(store.sliceCount == 0)
  }
}
