import Millrace
import MillraceExplorer
import MillraceTesting
import Testing

/// Properties, bounds, missing outcomes and restarts, on a machine that sells.
@Suite struct ExplorerPropertyTests {
  enum Machine {
    struct State: Hashable, Sendable {
      var coins = 0
      var isServing = false
      var served = 0
    }

    enum Action: Hashable, Sendable {
      case coin
      case served
      case jammed
    }

    struct Serve: Hashable {
      let number: Int
    }

    struct Jam: Error {}

    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .coin: if state.coins < 3 { state.coins += 1 }
      case .served:
        state.coins -= 1
        state.served += 1
      case .jammed: state.isServing = false
      }
      state.isServing = action != .jammed && state.coins > 0
    }

    static func connect(to store: Store<State, Action>) {
      let serve = { @Sendable (state: State) in state.isServing ? Serve(number: state.served) : nil }
      let failure = { @Sendable (_: Jam, _: Serve) in Action.jammed }
      store.connect(when: serve, failure: failure, named: "motor") { _, _ throws(Jam) in }
    }
  }

  private func explorer() -> Explorer<Machine.State, Machine.Action> {
    Explorer(initialState: Machine.State(), reduce: Machine.reduce, connect: Machine.connect)
      .userActions { $0.served < 2 && $0.coins < 2 ? [.coin] : [] }
  }

  @Test func neverFindsTheNearestState() throws {
    let report = explorer().outcomes(of: Machine.Serve.self) { _ in [.answers(.served)] }
      .never("two served") { $0.served == 2 }.explore()
    let found = try #require(report.counterexamples.first)
    #expect(found.steps.count == 4)
    #expect(found.states.map(\.served) == [0, 0, 0, 1, 2] || found.states.map(\.served) == [0, 0, 1, 1, 2])
    #expect(found.property == #"never("two served")"#)
    #expect(report.description.hasSuffix(", and stopped there."))
  }

  @Test func eventuallyFindsWhereItIsStuck() throws {
    let report = explorer()
      .outcomes(of: Machine.Serve.self) { _ in [.answers(.served), .fails(Machine.Jam())] }
      .alwaysReachable("nobody's coin is kept") { $0.coins == 0 }.explore()
    // Jammed with two coins: no coin is taken any more.
    let found = try #require(report.counterexamples.first)
    #expect(found.states.last == Machine.State(coins: 2, isServing: false, served: 0))
    #expect(found.steps.count == 3)
    #expect(
      found.story.hasPrefix(
        #"alwaysReachable("nobody's coin is kept") cannot be reached any more after 3 moves:"#)
    )
  }

  @Test func aRestartAsksAnew() throws {
    let jammed = explorer().crashes()
      .outcomes(of: Machine.Serve.self) { _ in [.answers(.served), .fails(Machine.Jam())] }
    // A restart keeps the state, and so the jam.
    #expect(!jammed.alwaysReachable("nobody's coin is kept") { $0.coins == 0 }.explore().isClean)
    let repaired = explorer()
      .crashes { state in
        var state = state
        state.isServing = state.coins > 0
        return state
      }
      .outcomes(of: Machine.Serve.self) { _ in [.answers(.served), .fails(Machine.Jam())] }
      .alwaysReachable("nobody's coin is kept") { $0.coins == 0 }.explore()
    #expect(repaired.isClean, "\(repaired)")
  }

  @Test func aFinishedRequestRunsAgainAfterARestart() throws {
    // The motor returns without an answer: its request stays and is not run again.
    let once = explorer().outcomes(of: Machine.Serve.self) { _ in [.answers()] }
      .always("it runs") { state, running in state.isServing == !running.isEmpty }
    let found = try #require(once.explore().counterexamples.first)
    #expect(found.steps.count == 2)
    let report = once.crashes().alwaysReachable("it runs again") { state, running in
      state.isServing == !running.isEmpty
    }
    .explore()
    #expect(report.counterexamples.map(\.property) == [#"always("it runs")"#])
    let again = explorer().outcomes(of: Machine.Serve.self) { _ in [.answers()] }.crashes()
      .alwaysReachable("it runs again") { state, running in state.isServing == !running.isEmpty }.explore()
    #expect(again.isClean, "\(again)")
    #expect(again.counts.states == 5)
  }

  @Test func whatIsStuckWithinTheBoundIsFound() throws {
    // A counter with a trap.
    let explorer = Explorer(
      initialState: 0, reduce: { (count: inout Int, step: Int) in count = count < 0 ? count : step }
    )
    .userActions { [$0 + 1, -1] }.alwaysReachable("ten") { $0 == 10 }
    let report = explorer.explore(depth: 4)
    #expect(report.bounds == [.depth(4)])
    #expect(try #require(report.counterexamples.first).states == [0, -1])
  }

  @Test func boundsAreSaid() {
    let explorer = explorer().outcomes(of: Machine.Serve.self) { _ in [.answers(.served)] }
    let shallow = explorer.alwaysReachable("served") { $0.served == 2 }.explore(depth: 1)
    #expect(shallow.bounds == [.depth(1)])
    #expect(!shallow.isClean && shallow.gaps == [.depth, .undecidedProperties], "\(shallow)")
    #expect(explorer.allowing(.depth, .nothingToCheck).explore(depth: 1).isClean)
    #expect("\(shallow)".contains("BOUND: nothing deeper than 1 was explored"))
    let small = explorer.alwaysReachable("served") { $0.served == 2 }.explore(states: 2)
    #expect(small.bounds == [.states(2)])
    #expect(small.counts.states == 2)
    #expect(!small.isClean && small.gaps == [.states, .undecidedProperties])
    #expect(explorer.allowing(.states, .depth, .nothingToCheck).explore(states: 2).isClean)
    #expect("\(small)".contains("BOUND: no more than 2 states were kept"))
  }

  @Test func aRequestWithoutOutcomesIsNamed() {
    let report = explorer().explore()
    #expect(report.unlisted == ["motor (ExplorerPropertyTests.Machine.Serve)"])
    #expect(!report.isClean)
    #expect("\(report)".contains("motor (ExplorerPropertyTests.Machine.Serve)"))
    // Stated: it never answers.
    #expect(
      explorer().outcomes(of: Machine.Serve.self) { _ in [] }.explore().gaps == [.nothingToCheck])
  }

  @Test func anOutcomeThatDoesNotFitIsNamed() {
    let report = explorer().outcomes(of: Machine.Serve.self) { _ in [.fails(CancellationError())] }.explore()
    #expect(report.problems.count == 1)
    #expect(report.problems.first?.contains("motor sends") == true)
  }

  /// The requests in progress tell nothing of how far an outcome or a policy is.
  @Test func whatIsUnderWayIsNotMerged() {
    let report = Explorer(
      initialState: Machine.State(coins: 1, isServing: true),
      comparing: { state, running in [state.served, running.count] },
      reduce: { state, action in if action == .jammed { state = Machine.State(served: 1) } },
      connect: Machine.connect
    )
    .outcomes(of: Machine.Serve.self) { _ in [.sends(.coin, .coin).then(.answers(.jammed))] }
    .alwaysReachable("it is jammed") { $0.served == 1 }
    .explore()
    #expect(report.isClean && report.counts.states == 4, "\(report)")
  }

  /// Each property that one state violates has its counterexample.
  @Test func aStateMayViolateSeveralProperties() {
    let report = explorer().outcomes(of: Machine.Serve.self) { _ in [] }
      .never("a coin") { $0.coins == 1 }.never("serving") { $0.isServing }.explore()
    #expect(report.counterexamples.map(\.property) == [#"never("a coin")"#, #"never("serving")"#])
    #expect(
      report.counterexamples.first?.story.hasPrefix(#"never("a coin") does not hold after 1 move:\#n"#)
        == true,
      "\(report)")
  }

  @Test func whatDoesNotMatterIsMerged() {
    let all = explorer().outcomes(of: Machine.Serve.self) { _ in [.answers(.served)] }.explore()
    let merged = Explorer(
      initialState: Machine.State(), comparing: { $0.coins }, reduce: Machine.reduce, connect: Machine.connect
    )
    .userActions { $0.served < 2 && $0.coins < 2 ? [.coin] : [] }
    .outcomes(of: Machine.Serve.self) { _ in [.answers(.served)] }.explore()
    #expect(merged.counts.states < all.counts.states)
  }
}

/// Which effects a list of outcomes is about.
@Suite struct ExplorerOutcomeTests {
  struct State: Hashable, Sendable {
    var title: String?
    var count: Int?
  }

  enum Action: Sendable {
    case titled(String)
    case counted(Int)
  }

  private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .titled(let title): state.title = title
    case .counted(let count): state.count = count
    }
  }

  /// Two effects ask for the same text, and answer by actions of their own.
  private static func connect(to store: Store<State, Action>) {
    store.connect(
      when: { $0.title == nil ? "text" : nil }, action: Action.titled, named: "title", run: { _, _ in })
    store.connect(
      when: { $0.count == nil ? "text" : nil }, action: Action.counted, named: "count", run: { _, _ in })
  }

  @Test func outcomesOfAnActionTypeAreThoseOfTheEffectsThatSendIt() {
    let explorer = Explorer(initialState: State(), reduce: Self.reduce) { Self.connect(to: $0) }
      .outcomes(of: String.self, sending: String.self) { [.answers($0.uppercased())] }
    let half = explorer.explore()
    #expect(half.unlisted == ["count (String)"] && half.problems.isEmpty)
    let both = explorer.outcomes(of: String.self, sending: Int.self) { [.answers($0.count)] }
      .alwaysReachable("both are known") { $0 == State(title: "TEXT", count: 4) }.explore()
    #expect(both.isClean, "\(both)")
    #expect(both.counts.states == 4)
  }
}
