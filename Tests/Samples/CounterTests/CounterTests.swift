import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

@testable import counter

@Suite struct CounterTests {
  @Test("the fact of the last number is shown, whatever was asked for before")
  func lastFact() async {
    let store = TestStore(initialState: Counter.State(count: 1), reduce: Counter.reduce) {
      Counter.connect(to: $0) { "a fact about \($0)" }
    }
    store.send(.incremented) { $0.count = 2 }
    store.expect(stopped: 1)  // the lookup for 1, which was in progress
    store.answer(2, with: .factArrived("a fact about 2")) { $0.fact = "a fact about 2" }
    await store.finish()
  }

  @Test("a fact that comes late is not shown beside the next number")
  func lateFact() async {
    let gate = Gate()
    let store = TestStore(initialState: .init(count: 1), serving: .bodies, reduce: Counter.reduce) {
      Counter.connect(to: $0) { number in
        if number == 1 { await gate.waitIgnoringCancellation() }
        return "a fact about \(number)"
      }
    }
    await store.settle()
    store.send(.incremented) { $0.count = 2 }
    store.expect(stopped: 1)
    await store.receive(.factArrived("a fact about 2")) { $0.fact = "a fact about 2" }
    gate.open()  // the fact about 1 comes after all
    await store.finish()
  }

  @Test("a fact is asked for while none is known")
  func asking() {
    let lookup = Counter.FactLookup { "\($0)" }
    let plan = lookup.plan(from: Counter.State(count: 7), to: Counter.State(count: 8))
    #expect(plan == RequestPlan(starts: [8], stops: [7]))
    #expect(lookup.plan(connectingTo: Counter.State(count: 7, fact: "7 is prime")) == RequestPlan())
  }

  @Test("a lookup answers with the fact about the number it was asked for")
  func answer() async {
    let lookup = Counter.FactLookup(fact: Divisors.fact(about:))
    #expect(await lookup.outcome(of: 7) == RunOutcome(sent: [.factArrived("7 is prime")]))
  }

  @Test(
    "divisors are told apart",
    arguments: [
      (1, "1 is neither prime nor composite"), (2, "2 is prime"), (4, "4 has 3 divisors"),
      (6, "6 is perfect"),
    ])
  func divisors(number: Int, fact: String) async {
    #expect(await Divisors.fact(about: number) == fact)
  }
}
