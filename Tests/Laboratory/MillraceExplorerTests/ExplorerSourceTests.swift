import Millrace
import MillraceTesting
import Testing

@testable import MillraceExplorer

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
    .always("no spinner without a request", Self.hasRequest)
    .printingTests(using: "testStore()", comparing: "seen")
    .explore()
    let test = try #require(report.counterexamples.first).test
    #expect(test.contains("let store = testStore()\n"))
    #expect(test.contains(#"#expect(!(seen(store.state) == "a, true" && store.running.isEmpty))"#), "\(test)")
  }

  /// Not a closure that a printed test could repeat.
  private static let hasRequest: @Sendable (Search.State, RunningRequests) -> Bool = { state, running in
    !state.isLoading || !running.isEmpty
  }

  @Test func equalRequestsOfTwoConnectionsAreNamed() throws {
    let report = Explorer(initialState: Search.State(), reduce: Search.reduce) { store in
      store.connect(Search.SearchEffect(), named: "web")
      store.connect(Search.SearchEffect(), named: "library")
    }
    .userActions { _ in [.queryChanged("a")] }
    .outcomes(of: String.self, from: "web") { _ in [] }
    .outcomes(of: String.self, from: "library") { [.answers(.arrived([$0]))] }
    .never("results") { !$0.results.isEmpty }
    .explore()
    let test = try #require(report.counterexamples.first).test
    #expect(
      test.contains(
        #"if store.inProgress(named: "library").contains("a") { store.answer("a", named: "library", with: .arrived(["a"])) }"#
      ), "\(test)")
  }

  @Test func theClosureOfAPropertyIsFoundInItsSource() {
    let text = #"""
      explorer
        .always("one", fileID: "A") { $0 == "}" }  // { not this
        .always("other \"name\"") { state in
          /* a comment */ state.list.contains { $0 == "\(state.first ?? "{")" }
        }
        .never("function", isOver)
      """#
    #expect(PropertySource.closure(of: "always", named: "one", in: text) == [#"{ $0 == "}" }"#])
    let other = text.split(separator: "\n").dropFirst(2).joined(separator: "\n")
    #expect(
      PropertySource.closure(of: "always", named: "other \"name\"", in: other) == [
        "{ state in", #"  /* a comment */ state.list.contains { $0 == "\(state.first ?? "{")" }"#, "}",
      ])
    #expect(PropertySource.closure(of: "never", named: "function", in: text) == nil)
    #expect(PropertySource.closure(of: "always", named: "absent", in: text) == nil)
    #expect(PropertySource.closure(of: "always", named: "x", in: "/nowhere", line: 1) == nil)
  }
}
