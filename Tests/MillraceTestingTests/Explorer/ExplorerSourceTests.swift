import Millrace
import MillraceTesting
import Testing

/// How printed tests write what they are about.
@Suite struct ExplorerSourceTests {
  private struct Poll<Answer: Hashable & Sendable>: EffectComponent {
    struct Ask: Hashable, Sendable {
      var to: String
    }

    func requests(in state: Search.State) -> Set<Ask> { state.query.isEmpty ? [] : [Ask(to: state.query)] }
    func run(_ request: Ask, send: Send<Search.Action>) async {}
  }

  private enum Vote: Hashable, Sendable { case yes }

  @Test func aTypeWithinAGenericOneIsWrittenWithItsArguments() throws {
    let report = Explorer(initialState: Search.State(), reduce: Search.reduce) { $0.connect(Poll<Vote>()) }
      .userActions { _ in [.queryChanged("a")] }
      .outcomes(of: Poll<Vote>.Ask.self) { _ in [.answers(.arrived(["b"]))] }
      .never("results") { !$0.results.isEmpty }
      .explore()
    let test = try #require(report.counterexamples.first).test
    let ask = #"ExplorerSourceTests.Poll<ExplorerSourceTests.Vote>.Ask(to: "a")"#
    #expect(test.contains(#"store.answer(\#(ask), with: .arrived(["b"]))"#), "\(test)")
  }

  @Test func aTestComparesWhatTellsStatesApart() throws {
    let report = Explorer(
      initialState: Search.State(), comparing: { "\($0.query), \($0.isLoading)" },
      reduce: Search.forgetfulReduce, connect: Search.connect
    )
    .userActions { _ in [.queryChanged("a")] }
    .outcomes(of: String.self) { _ in [.fails(Search.Offline())] }
    .always("no spinner without a request") { state, running in !state.isLoading || !running.isEmpty }
    .testStore("testStore()", comparing: "seen")
    .explore()
    let test = try #require(report.counterexamples.first).test
    #expect(test.contains("let store = testStore()\n"))
    #expect(test.contains(#"#expect(!(seen(store.state) == "a, true" && store.running.isEmpty))"#), "\(test)")
  }
}
