import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import TestSupport
import Testing

/// A report is clean only if it is complete, or its gaps are allowed by name.
@Suite struct ExplorerGapTests {
  final class Log: Component {
    func update(_ count: Int) async {}
  }

  private func counter(_ connect: @escaping @Sendable (Store<Int, Int>) -> Void = { _ in }) -> Explorer<
    Int, Int
  > {
    Explorer(initialState: 0, reduce: { $0 = ($0 + $1) % 1000 }, connect: connect)
      .always("below 1000") { $0 < 1000 }
  }

  private func expect(
    _ gap: ExplorationGap, of explorer: Explorer<Int, Int>, depth: Int = .max, states: Int = .max,
    within time: Duration? = nil, line: Int = #line
  ) {
    let report = explorer.explore(depth: depth, states: states, within: time)
    #expect(report.gaps == [gap], "line \(line): \(report)")
    #expect(!report.isClean, "line \(line)")
    #expect(
      explorer.allowing(gap).explore(depth: depth, states: states, within: time).isClean, "line \(line)")
  }

  @Test func boundsAreGaps() {
    let explorer = counter().userActions { _ in [1] }
    expect(.depth, of: explorer, depth: 3)
    expect(.states, of: explorer, states: 3)
    expect(.time, of: explorer, within: .zero)
    #expect(explorer.explore().isClean)
    #expect(explorer.explore(within: .zero).bounds == [.time(.zero)])
  }

  /// From a state from which not all ways were gone, what is sought may be reached beyond the bound.
  @Test func nothingIsStuckAtABound() {
    let explorer = counter().userActions { $0 < 999 ? [1] : [] }.alwaysReachable("999") { $0 == 999 }
    #expect(explorer.explore().isClean)
    for report in [
      explorer.explore(depth: 3), explorer.explore(states: 3), explorer.explore(within: .zero),
    ] {
      #expect(report.counterexamples.isEmpty, "\(report)")
      #expect(report.gaps.count == 2 && report.gaps.contains(.undecidedProperties), "\(report)")
    }
  }

  /// A bound that is allowed does not hide that nothing is known of what is to be reached.
  @Test func whatABoundLeavesUndecidedIsSaid() {
    let explorer = counter().userActions { $0 < 999 ? [1] : [] }.allowing(.depth)
    let reachable = explorer.alwaysReachable("999") { $0 == 999 }.explore(depth: 3)
    #expect(!reachable.isClean && reachable.undecided == ["alwaysReachable(\"999\"): 4"])
    #expect(
      "\(reachable)".contains("Not decided within the bounds, for so many states:\n\n  alwaysReachable("))
    let eventually = explorer.eventually("999") { $0 == 999 }.explore(depth: 3)
    #expect(!eventually.isClean && eventually.undecided == ["eventually(\"999\"): 1"])
    // What every explored state leads to is decided, however much lies beyond.
    let reached = explorer.alwaysReachable("three") { $0 >= 3 }.explore(depth: 3)
    #expect(reached.isClean && reached.gaps == [.depth], "\(reached)")
  }

  @Test func aDepthOfNothingIsABound() {
    expect(.depth, of: counter().userActions { _ in [1] }, depth: 0)
  }

  /// Where the depth is just enough there is no gap.
  @Test func aDepthThatIsNotMetIsNone() {
    let explorer = counter().userActions { $0 < 3 ? [1] : [] }
    #expect(explorer.explore(depth: 3).isClean)
    expect(.depth, of: explorer, depth: 2)
  }

  @Test func aCancelledTaskIsAGap() async {
    let explorer = counter().userActions { _ in [1] }
    let report = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return (explorer.explore(), explorer.walk(seed: 1))
    }
    .value
    #expect(report.0.gaps == [.cancellation] && report.0.bounds == [.cancellation])
    #expect(report.1.gaps.contains(.cancellation) && !report.1.isClean)
  }

  @Test func nothingToExploreIsAGap() {
    expect(.nothingToExplore, of: counter())
    #expect("\(counter().explore())".contains("there was nothing to explore"))
  }

  @Test func anExplorerWithoutAPropertySaysThatNothingWasChecked() {
    let explorer = Explorer<Int, Int>(initialState: 0, reduce: { $0 += $1 }).userActions { $0 < 3 ? [1] : [] }
    let report = explorer.explore()
    #expect(report.gaps == [.nothingToCheck] && !report.isClean)
    #expect("\(report)".contains("Nothing was checked: the explorer has no property"))
    #expect(explorer.allowing(.nothingToCheck).explore().isClean)
    #expect(explorer.alwaysReachable("at the end") { $0 == 3 }.explore().isClean)
    #expect(explorer.walk(seed: 1).gaps == [.nothingToCheck])
    let walk = explorer.alwaysReachable("at the end") { $0 == 3 }.eventually("on") { $0 > 0 }.walk(seed: 1)
    #expect(walk.gaps == [.nothingToCheck] && !walk.isClean)
    #expect("\(walk)".contains("always or never, which random walks check"))
    #expect(explorer.never("four") { $0 == 4 }.walk(seed: 1).isClean)
  }

  @Test func outcomesThatAreNotListedAreAGap() {
    let explorer = counter { $0.connect(when: { $0 == 1 ? "load" : nil }) { _, _ in } }.userActions { _ in [1]
    }
    expect(.unlistedOutcomes, of: explorer)
  }

  @Test func outcomesThatNoRequestTookAreAGap() {
    let explorer = counter().userActions { _ in [1] }
      .outcomes(of: String.self, from: "typo", fileID: "App/Tests.swift", line: 7) { _ in [.answers(1)] }
    expect(.unusedOutcomes, of: explorer)
    #expect(
      explorer.explore().unusedOutcomes == [#"outcomes(of: String.self, from: "typo") at App/Tests.swift:7"#])
  }

  /// Behind a violation, the request might yet be asked for.
  @Test func nothingIsUnusedWhereTheExplorationStopped() {
    let report = counter { $0.connect(when: { $0 == 2 ? "load" : nil }) { _, _ in } }
      .userActions { _ in [1] }.outcomes(of: String.self) { _ in [] }.never("one") { $0 == 1 }.explore()
    #expect(report.counterexamples.count == 1 && report.unusedOutcomes.isEmpty, "\(report)")
  }

  /// A request that waits for its turn is in progress.
  @Test func outcomesOfARequestThatWaitsForEverAreNoGap() {
    struct Queue: EffectComponent {
      let name: String
      func requests(in count: Int) -> Set<String> { [name] }
      func run(_ name: String, send: Send<Int>) async {}
    }
    let limit = ConcurrencyLimit(1)
    let explorer = counter { store in
      store.connect(Queue(name: "first").limited(by: limit, priority: { _ in 1 }), named: "first")
      store.connect(Queue(name: "second").limited(by: limit), named: "second")
    }
    .userActions { $0 == 0 ? [1] : [] }
    .outcomes(of: String.self, from: "first") { _ in [] }
    .outcomes(of: String.self, from: "second") { _ in [.answers(5)] }
    let report = explorer.never("second") { $0 > 1 }.explore()
    #expect(report.isClean, "\(report)")
  }

  @Test func aComponentOfWhichNothingIsListedIsAGap() {
    let explorer = counter { $0.connect(Log(), named: "log") }.userActions { $0 == 0 ? [1] : [] }
    expect(.components, of: explorer)
    #expect(explorer.component("log").explore().isClean)
    #expect(explorer.component("other").explore().gaps == [.components])
  }

  @Test func aComponentSendsWhatIsListedWhileItIsConnected() throws {
    let explorer = counter { store in
      store.connect(while: { $0 == 1 }) { $0.connect(Log(), named: "log") }
    }
    .userActions { $0 == 0 ? [1, 2] : [] }.component("log") { _ in [10] }
    let report = explorer.never("sent by the log") { $0 == 11 }.explore()
    let found = try #require(report.counterexamples.first)
    #expect(found.story.contains("2. log sends 10"), "\(found)")
    #expect(explorer.never("sent without a log") { $0 == 12 }.explore().isClean)
  }

  @Test func aComponentSendsNothingWhileOnlyAnotherIsConnected() {
    let explorer = counter { store in
      store.connect(while: { $0 == 1 }) { $0.connect(Log(), named: "log") }
      store.connect(while: { $0 == 2 }) { $0.connect(Log(), named: "other") }
    }
    .userActions { $0 == 0 ? [1, 2] : [] }
    .component("log") { _ in [10] }.component("other") { _ in [20] }
    let seen = Recorder<Int>()
    #expect(
      explorer.always("seen") { count in
        seen.append(count)
        return true
      }.explore().isClean)
    #expect(Set(seen.values) == [0, 1, 2, 11, 22])
  }

  /// A connection that the `connect` function itself has ended.
  @Test func whatIsDisconnectedAtOnceIsNotExplored() {
    let ended = counter { store in
      store.connect(Log(), named: "log").disconnect()
      store.connect(while: { $0 >= 0 }) { part in
        part.connect(when: { $0 == 0 ? 0 : nil }, named: "work") { (_: Int, _) in }
        part.connect(Log(), named: "inner")
      }.disconnect()
    }
    .userActions { $0 == 0 ? [1] : [] }
    let report = ended.never("a run") { _, running in !running.isEmpty }.explore()
    #expect(report.isClean, "\(report)")
  }
}
