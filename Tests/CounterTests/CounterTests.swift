import Millrace
import MillraceTesting
import Testing

@testable import counter

@Suite struct CounterTests {
  @Test("a fact that comes late is not shown beside the next number")
  func lateFact() async throws {
    let gate = Gate()
    let store = Store(initialState: Counter.State(count: 1), on: .immediate, reduce: Counter.reduce)
    Counter.connect(to: store) { number in
      if number == 1 { await gate.waitIgnoringCancellation() }
      return "a fact about \(number)"
    }
    try await gate.waiters(atLeast: 1)  // the lookup for 1 is on its way
    store.dispatch(.incremented)  // it is stopped, and one for 2 begins
    gate.open()  // the fact about 1 comes after all
    await store.settled()
    #expect(store.state == Counter.State(count: 2, fact: "a fact about 2"))
    #expect(store.activity.fenced == 1)
  }

  @Test("a fact is asked for while none is known")
  func asking() {
    let lookup = Counter.FactLookup { "\($0)" }
    #expect(lookup.requests(in: Counter.State(count: 7)) == [7])
    #expect(lookup.requests(in: Counter.State(count: 7, fact: "7 is prime")) == [])
  }

  @Test("a lookup answers with the fact about the number it was asked for")
  func answer() async {
    let sent = Recorder<Counter.Action>()
    let lookup = Counter.FactLookup(fact: Divisors.fact(about:))
    await lookup.run(7, send: .recording(into: sent))
    #expect(sent.values == [.factArrived("7 is prime")])
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
