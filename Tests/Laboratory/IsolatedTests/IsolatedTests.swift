import Foundation
import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

/// This module and its suites are isolated to the main actor by default, as new projects of Xcode are.
@Suite struct IsolatedTests {
  @Test(
    "a body runs off the main actor and off the reducer queue in a module of the main actor", .blocksThreads)
  func bodyOffTheMainActor() async throws {
    let (wasMain, begun, goesOn) = (Recorder<Bool>(), Signal(), Signal())
    let store = Store(initialState: Lookup.State()) { state, action in
      Lookup.reduce(&state, action)
      wasMain.append(Thread.isMainThread)
      if action == .asked("b") { goesOn.give() }
    }
    store.connect(
      Lookup.Answering { query in
        wasMain.append(Thread.isMainThread)
        if query == "a" {
          begun.give()
          // On the reducer queue this would keep the action from being reduced that lets it go on.
          #expect(goesOn.wait())
        }
        return query
      })
    store.dispatch(.asked("a"))
    // A thread of its own, since the body holds one of the pool.
    try await onOwnThread {
      begun.wait()
      store.dispatch(.asked("b"))
    }
    await store.settled()
    #expect(store.state.answers == ["b"])
    #expect(!wasMain.values.contains(true))
    await store.shutdown()
  }

  @Test("closures of an effect without a type need no word in a suite of the main actor")
  func closures() async {
    let store = Store(initialState: Lookup.State(), reduce: Lookup.reduce)
    store.connect(when: \.query) { query, send in await send(.answered(query.uppercased())) }
    await store.send(.asked("a"))
    await store.settled()
    #expect(store.state.answers == ["A"])
    await store.shutdown()
  }

  @Test("a test store and an explorer work in a suite of the main actor")
  func testStore() async {
    let store = TestStore(initialState: Lookup.State(), reduce: Lookup.reduce) {
      $0.connect(Lookup.Answering { $0 })
    }
    store.send(.asked("a")) { $0.query = "a" }
    store.answer("a", with: .answered("b")) { $0 = Lookup.State(answers: ["b"]) }
    await store.finish()

    let report = Explorer(initialState: Lookup.State(), reduce: Lookup.reduce) {
      $0.connect(Lookup.Answering { $0 })
    }
    .userActions { state in state.answers.isEmpty ? [.asked("a"), .asked("b")] : [] }
    .outcomes(of: String.self) { query in [.answers(.answered(query))] }
    .always("there are at most two answers") { state, _ in state.answers.count <= 2 }
    .explore(depth: 6)
    #expect(report.isClean, "\(report)")
  }

  @Test("types of the main actor are connected as a view and as a component")
  func viewAndComponent() async throws {
    let (screen, meter) = (Screen(), Meter())
    let store = Store(initialState: 1) { (state: inout Int, action: Int) in state = action }
    store.connect(screen)
    store.connect(meter)
    await store.send(2)
    await store.settled()
    #expect(screen.shown.last == 2)
    #expect(meter.updates.last == 2)
    await store.shutdown()
  }
}
