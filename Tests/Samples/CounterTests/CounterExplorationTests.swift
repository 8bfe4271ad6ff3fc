import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import RandomSession
import TestSupport
import Testing

@testable import counter

/// Everything that may happen to the counter.
@Suite struct CounterExplorationTests {
  private func explorer(
    _ reduce: @escaping Reducer<Counter.State, Counter.Action>, upTo last: Int = 9
  ) -> Explorer<Counter.State, Counter.Action> {
    Explorer(
      initialState: Counter.State(), comparing: { ["\($0.count)", $0.fact] }, reduce: reduce,
      connect: { Counter.connect(to: $0, fact: Divisors.fact(about:)) }
    )
    .userActions { $0.count < last ? [.incremented] : [] }
    .outcomes(of: Int.self) { number in [.answers(.factArrived("about \(number)"))] }
    .always("a fact is about the number") { $0.fact.map(["about \($0.count)"].contains) ?? true }
    .alwaysReachable("a fact is shown") { $0.fact != nil }
    .printingTests(using: "testStore($state)")
  }

  /// The planted bug: the fact about the last number is not taken away.
  private static func forgetfulReduce(_ state: inout Counter.State, _ action: Counter.Action) {
    let fact = state.fact
    Counter.reduce(&state, action)
    if action == .incremented { state.fact = fact }
  }

  private func testStore(
    _ state: Counter.State, _ reduce: @escaping Reducer<Counter.State, Counter.Action> = Self.forgetfulReduce
  ) -> TestStore<Counter.State, Counter.Action> {
    TestStore(initialState: state, reduce: reduce) {
      Counter.connect(to: $0, fact: Divisors.fact(about:))
    }
  }

  @Test("each number up to nine has its own fact or none, whatever the order")
  func shipped() {
    let report = explorer(Counter.reduce).explore()
    #expect(report.isClean && report.bounds.isEmpty, "\(report)")
    #expect(report.counts.states == 20)
  }

  @Test("a fact that is not taken away is found in two moves")
  func oldFact() async throws {
    let found = try #require(explorer(Self.forgetfulReduce).explore().counterexamples.first)
    #expect(
      found.story == """
        always("a fact is about the number") does not hold after 2 moves:

          at first: State(count: 0, fact: nil)
               in progress: 0
          1. Counter.FactLookup 0 answers .factArrived("about 0")
               fact: nil → "about 0"
               in progress: nothing
          2. the user sends .incremented
               count: 0 → 1
        """)
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation { await printedTest { testStore($0) } }
    await printedTest { testStore($0, Counter.reduce) }
  }

  /// The test that the explorer prints.
  private func printedTest(_ testStore: (Counter.State) -> TestStore<Counter.State, Counter.Action>) async {
    let store = testStore(Counter.State(count: 0, fact: nil))
    store.exhaustivity = .none
    // swift-format-ignore
    if store.inProgress().contains(0) { store.answer(0, with: .factArrived("about 0")) }
    store.send(.incremented)
    let holds: (Counter.State) -> Bool = { $0.fact.map(["about \($0.count)"].contains) ?? true }
    #expect(holds(store.state))
    await store.finish()
  }

  @Test("the recording of a long session by chance becomes the same test")
  func longSession() async throws {
    let shrunk = try await explorer(Self.forgetfulReduce, upTo: .max).shrunkSession(seed: 1)
    let found = try #require(shrunk.counterexample)
    #expect(shrunk.recordedMoves == 400 && found.steps.count == 2, "\(shrunk)")
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
  }

}
