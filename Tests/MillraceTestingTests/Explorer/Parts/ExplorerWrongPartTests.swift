import Millrace
import MillraceTesting
import Testing

/// A part that is not what the test says is reported, and everything is explored in every order.
@Suite struct ExplorerWrongPartTests {
  typealias Report = ExplorationReport<Loaders.State, Loaders.Action>

  private func expectFallback(_ report: Report, of explorer: Explorer<Loaders.State, Loaders.Action>) {
    let plain = explorer.explore()
    #expect(report.counts == plain.counts)
    #expect(report.counts.skipped == 0)
  }

  @Test func aChangeOfTheRestIsTold() throws {
    let explorer = Loaders.explorer(reduce: { state, action in
      Loaders.reduce(&state, action)
      if case .left(.arrived) = action { state.clicks = 1 }
    })
    let report = explorer.divided.explore()
    expectFallback(report, of: explorer)
    #expect(
      try #require(report.problems.first) == #"""
        \State.left is no part of its own: the last of these moves changes the rest of the state, too.

          at first: State(left: Loader(asked: nil, shown: 0, isBroken: false), middle: Loader(asked: nil, shown: 0, isBr…
          1. the user sends .left(.ask(1))
               left.asked: nil → 1
               in progress: 1
          2. left 1 answers .arrived(1)
               left.asked: 1 → nil
               left.shown: 0 → 1
               clicks: 0 → 1
               in progress: nothing

        So no moves were left out.
        """#)
    #expect("\(report)".hasPrefix("Problems:\n\n  \\State.left is no part of its own: the last"), "\(report)")
    #expect("\(report)".contains("\n\n    at first: State(left:"))
  }

  @Test func aChangeOfAnotherPartIsTold() throws {
    let explorer = Loaders.explorer(reduce: { state, action in
      Loaders.reduce(&state, action)
      if case .left(.failed) = action { state.right.isBroken = true }
    })
    let report = explorer.divided.explore()
    expectFallback(report, of: explorer)
    #expect(report.problems.count == 1)
    #expect(try #require(report.problems.first).contains("changes the rest of the state, too"), "\(report)")
  }

  @Test func whatIsReadOfTheRestIsTold() throws {
    let explorer = Loaders.explorer(
      asking: [1],
      reduce: { state, action in
        Loaders.reduce(&state, action)
        if case .left(.arrived) = action, state.right.shown == 1 { state.left.shown = 9 }
      })
    let report = explorer.divided.explore()
    expectFallback(report, of: explorer)
    #expect(
      try #require(report.problems.first) == #"""
        \State.left is no part of its own: the same move does one thing here, and another elsewhere, where the part was equal.

        Here:

          at first: State(left: Loader(asked: nil, shown: 0, isBroken: false), middle: Loader(asked: nil, shown: 0, isBr…
          1. the user sends .left(.ask(1))
               left.asked: nil → 1
               in progress: 1
          2. the user sends .right(.ask(1))
               right.asked: nil → 1
               in progress: 1, 1
          3. right 1 answers .arrived(1)
               right.asked: 1 → nil
               right.shown: 0 → 1
               in progress: 1
          4. left 1 answers .arrived(1)
               left.asked: 1 → nil
               left.shown: 0 → 9
               in progress: nothing

        Elsewhere:

          at first: State(left: Loader(asked: nil, shown: 0, isBroken: false), middle: Loader(asked: nil, shown: 0, isBr…
          1. the user sends .left(.ask(1))
               left.asked: nil → 1
               in progress: 1
          2. left 1 answers .arrived(1)
               left.asked: 1 → nil
               left.shown: 0 → 1
               in progress: nothing

        So no moves were left out.
        """#)
  }

  /// Moves of the left loader are made only where the right one has done nothing yet, and are left out elsewhere.
  private func leftOut(_ change: @escaping @Sendable (inout Loaders.State) -> Void) -> Report {
    let explorer = Explorer(
      initialState: Loaders.State(),
      reduce: { (state: inout Loaders.State, action: Loaders.Action) in
        Loaders.reduce(&state, action)
        if case .left = action, state.right.asked != nil { change(&state) }
      }
    )
    .userActions { _ in [.left(.ask(1)), .left(.failed), .right(.ask(1)), .right(.failed)] }
    let report = explorer.divided.explore()
    expectFallback(report, of: explorer)
    return report
  }

  @Test func whatIsReadInMovesThatAreLeftOutIsTold() throws {
    let report = leftOut { $0.left.shown = 5 }
    #expect(report.problems.count == 1 && report.problems[0].contains("the same move does one thing here"))
  }

  @Test func aChangeInMovesThatAreLeftOutIsTold() throws {
    let report = leftOut { $0.clicks = 1 }
    #expect(report.problems.count == 1 && report.problems[0].contains("changes the rest of the state, too"))
  }

  @Test func whatIsReadInMovesThatAreMadeAgainIsTold() throws {
    // Of one part nothing is left out.
    let explorer = Loaders.explorer(
      [Loaders.Action.left], asking: [1],
      reduce: { state, action in
        if action == .swap { state.clicks = 1 } else { Loaders.reduce(&state, action) }
        if action == .left(.arrived(1)) { state.left.shown += state.clicks }
      },
      connect: { $0.connect(Loaders.LoadEffect(), to: \.left, action: Loaders.Action.left) }
    )
    .userActions { _ in [.swap] }
    let report = explorer.part(\.left) { if case .left = $0 { true } else { false } }.explore()
    expectFallback(report, of: explorer)
    #expect(report.problems.count == 1 && report.problems[0].contains("the same move does one thing here"))
  }

  @Test func actionsThatDependOnTheRestAreTold() throws {
    let explorer = Loaders.explorer([Loaders.Action.left], asking: [1])
      .userActions { state in state.left.isBroken ? [] : [.right(.ask(1))] }
    let report = explorer.divided.explore()
    expectFallback(report, of: explorer)
    #expect(
      try #require(report.problems.first) == #"""
        \State.right is no part of its own: the user may send some actions here, and others elsewhere, where the part is equal.

        Here:

          at first: State(left: Loader(asked: nil, shown: 0, isBroken: false), middle: Loader(asked: nil, shown: 0, isBr…
          1. the user sends .left(.ask(1))
               left.asked: nil → 1
               in progress: 1
          2. left 1 fails with Offline()
               left.asked: 1 → nil
               left.isBroken: false → true
               in progress: nothing
          the user may send: nothing

        Elsewhere:

          at first: State(left: Loader(asked: nil, shown: 0, isBroken: false), middle: Loader(asked: nil, shown: 0, isBr…
          the user may send: .right(.ask(1))

        So no moves were left out.
        """#)
    let others = Loaders.explorer([Loaders.Action.left], asking: [1])
      .userActions { state in [.right(.ask(state.left.isBroken ? 1 : 2))] }
    let found = others.divided.explore().problems
    #expect(found.count == 1 && found[0].contains("the user may send: .right(.ask(1))\n"), "\(found)")
  }

  /// The other actions are offered first where the part is as it never was.
  @Test func actionsThatDependOnTheRestAreToldLater() throws {
    let explorer = Explorer(
      initialState: Loaders.State(),
      reduce: { (state: inout Loaders.State, action: Loaders.Action) in
        switch action {
        case .swap: (state.clicks, state.right.shown) = (1, 7)
        case .right(.failed): state.right = Loaders.Loader()
        default: Loaders.reduce(&state, action)
        }
      }
    )
    .userActions { state in [.swap, .right(.ask(state.clicks)), .right(.failed)] }
    let report = explorer.divided.explore()
    expectFallback(report, of: explorer)
    #expect(report.problems.count == 1 && report.problems[0].contains("the user may send: .right(.ask(1))"))
  }

  @Test func anActionOfTwoPartsIsTold() {
    let explorer = Loaders.explorer([Loaders.Action.left], asking: [1])
    let report = explorer.part(\.left) { $0 != .swap }.part(\.right) {
      $0 == .left(.failed) || $0 == .right(.failed)
    }
    .explore()
    #expect(
      report.problems == [
        #".left(.failed) belongs to \State.left and to \State.right, and so commutes with nothing"#
      ])
    #expect(report.counts.states == explorer.explore().counts.states)
  }

  @Test func anEffectOnTheWholeStateIsTold() throws {
    let explorer = Loaders.explorer(connect: { store in
      Loaders.connect(to: store)
      store.connect(
        when: { $0.left.isBroken && $0.right.isBroken ? "both" : nil }, named: "watch",
        fileID: "App/Main.swift",
        line: 7
      ) { _, _ in }
    })
    .outcomes(of: String.self) { _ in [.answers()] }
    let report = explorer.divided.explore()
    expectFallback(report, of: explorer)
    #expect(report.undivided == ["watch at App/Main.swift:7"])
    #expect(report.isClean)
    #expect(
      "\(report)" == """
        No moves were left out, since these watch more than one part:

          watch at App/Main.swift:7

        \(explorer.explore())
        """)
  }
}
