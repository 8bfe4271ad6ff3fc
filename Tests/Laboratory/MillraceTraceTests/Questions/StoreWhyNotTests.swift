import Millrace
import MillraceEffects
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

@Suite("Why a live store does not serve a request")
struct StoreWhyNotTests {
  private static let tea = Shop.Price(name: "tea", count: 1)

  /// The answer without places in the source.
  private static func answer(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      line.split(separator: " at MillraceTraceTests/").enumerated().map { index, part in
        index == 0 ? String(part) : String(part.drop { $0 != ":" }.dropFirst().drop(while: \.isNumber))
      }.joined()
    }
  }

  private static func store(_ gate: Gate, limit: Int = 8) -> Store<Shop.State, Shop.Action> {
    let store = Store(initialState: Shop.State(), on: .immediate, reduce: Shop.reduce)
    let prices = Shop.PriceEffect { _ in await gate.waitIgnoringCancellation() }
    store.connect(prices.limited(to: limit), named: "prices")
    return store
  }

  @Test("effects of like parts are told in one line, and one that serves it by itself")
  func alike() async throws {
    let gate = Gate()
    let store = Store(initialState: Shop.State(), on: .immediate, reduce: Shop.reduce)
    let prices = Shop.PriceEffect { _ in await gate.waitIgnoringCancellation() }
    for _ in 0..<3 { store.connect(prices, named: "prices") }
    #expect(
      Self.answer(store.whyNot(Self.tea)) == [
        #"Price(name: "tea", count: 1) is not being served"#, "  none of 3 prices asks for it",
        "  they ask for nothing",
      ])
    store.dispatch(.wanted("milk", count: 1))
    #expect(
      Self.answer(store.whyNot(Self.tea)).last
        == "  they ask for "
        + [String](repeating: #"Price(name: "milk", count: 1)"#, count: 3).joined(separator: ", "))
    store.dispatch(.wanted("tea", count: 1))
    // A run that has come to the gate has one line more.
    let served = Self.answer(store.whyNot(Self.tea)).filter { $0 != "  the run waits for a gate" }
    #expect(served.count == 4 && served.dropFirst().allSatisfy { $0.contains(" serves it by run #") })
    gate.open()
    await store.settled()
  }

  @Test("nothing of its type is connected, or its lifetime has no part")
  func notConnected() {
    let store = Store(initialState: Shop.State(), on: .immediate, reduce: Shop.reduce)
    let isAudited = { @Sendable (state: Shop.State) in !state.audits.isEmpty }
    store.connect(while: isAudited, named: "auditing") { Shop.connectAudits($0) }
    #expect(
      Self.answer(store.whyNot(Shop.Audit(number: 7))) == [
        "Audit(number: 7) is not being served",
        "  no effect that is connected has requests of the type Shop.Audit",
        "  nothing is connected through auditing on computed Shop.State?: its part of the state is not there",
      ])
  }

  @Test("whyNot of a request that is not asked for says so, and what is asked for")
  func notAsked() async throws {
    let gate = Gate()
    let store = Self.store(gate)
    #expect(
      Self.answer(store.whyNot(Self.tea)) == [
        "Price(name: \"tea\", count: 1) is not being served", #"  prices on \.self does not ask for it"#,
        "  it asks for nothing",
      ])
    store.dispatch(.wanted("tea", count: 1))
    try await gate.waiters(atLeast: 1)
    store.dispatch(.unwanted("tea"))
    store.dispatch(.wanted("milk", count: 1))
    #expect(
      Self.answer(store.whyNot(Self.tea)).suffix(2) == [
        "  it asks for Price(name: \"milk\", count: 1)", "  its run #1 was stopped, and has not returned",
      ])
    gate.open()
    await store.settled()
  }

  @Test("whyNot names a wait in line, behind the run before, and for a gate")
  func waits() async throws {
    let gate = Gate()
    let store = Self.store(gate, limit: 1)
    store.dispatch(.wanted("tea", count: 1))
    try await gate.waiters(atLeast: 1)
    store.dispatch(.wanted("milk", count: 1))
    try await eventually { store.whyNot(Shop.Price(name: "milk", count: 1)).contains("in line") }
    #expect(
      Self.answer(store.whyNot(Shop.Price(name: "milk", count: 1))).suffix(2) == [
        #"  prices on \.self serves it by run #2, started by action 2"#,
        "  the run waits for a slot of 1, first in line",
      ])
    try await eventually { store.whyNot(Self.tea).hasSuffix("  the run waits for a gate") }
    store.dispatch(.wanted("tea", count: 2))
    #expect(
      Self.answer(store.whyNot(Shop.Price(name: "tea", count: 2))).first
        == "Price(name: \"tea\", count: 2) is not being served")
    #expect(
      store.whyNot(Shop.Price(name: "tea", count: 2))
        .hasSuffix("the run waits until the stopped run #1 of the same identity has returned"))
    gate.open()
    await store.settled()
  }

  @Test("whyNot says that a request has finished, or that the store is shutting down")
  func finished() async throws {
    struct Once: EffectComponent {
      func requests(in state: Shop.State) -> Set<Int> { [state.wanted.count] }
      func run(_ number: Int, send: Send<Shop.Action>) async {}
    }
    let store = Store(initialState: Shop.State(), on: .immediate, reduce: Shop.reduce)
    store.connect(Once(), named: "once")
    await store.settled()
    #expect(
      store.whyNot(0).hasSuffix("a finished request is not run again while the state asks for it"))
  }

  @Test("a request of the same identity goes on in its place")
  func replaced() async throws {
    struct Ignoring: EffectComponent {
      let gate: Gate
      var replacement: RequestReplacement { .ignore }
      func id(of number: Int) -> Int { 0 }
      func requests(in state: Shop.State) -> Set<Int> { [state.wanted.count] }
      func run(_ number: Int, send: Send<Shop.Action>) async { await gate.waitIgnoringCancellation() }
    }
    let gate = Gate()
    let store = Store(initialState: Shop.State(), on: .immediate, reduce: Shop.reduce)
    store.connect(Ignoring(gate: gate), named: "ignoring")
    store.dispatch(.wanted("tea", count: 1))
    #expect(store.whyNot(1).hasSuffix("asks for it, and goes on with 0 of the same identity, run #1"))
    gate.open()
    await store.settled()
  }
}
