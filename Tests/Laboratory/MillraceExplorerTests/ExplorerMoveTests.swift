import Millrace
import MillraceExplorer
import MillraceTesting
import TestSupport
import Testing

/// Each action is a move of its own, and outcomes come in an order.
@Suite struct ExplorerMoveTests {
  struct State: Hashable, Sendable {
    var isAsked = true
    var log: [String] = []
  }

  private func explorer(
    user: @escaping @Sendable (State) -> [String] = { _ in [] },
    connecting connect: @escaping @Sendable (Store<State, String>) -> Void = connectWork
  ) -> Explorer<State, String> {
    let reduce = { @Sendable (state: inout State, action: String) in
      state.log.append(action)
      if action == "stop" { state.isAsked = false }
    }
    return Explorer(initialState: State(), reduce: reduce, connect: connect).userActions(user)
  }

  private static let hasBegun: @Sendable (State) -> Bool = { !$0.log.isEmpty }

  private static let connectWork: @Sendable (Store<State, String>) -> Void = {
    $0.connect(when: { $0.isAsked ? "work" : nil }, named: "work", run: { _, _ in })
  }

  /// Every log at the end, or on the way.
  private func logs(_ explorer: Explorer<State, String>) -> Set<[String]> {
    let logs = Recorder<[String]>()
    let report = explorer.always("recorded") { state in
      logs.append(state.log)
      return true
    }
    .explore(depth: 20)
    #expect(report.isClean, "\(report)")
    return Set(logs.values)
  }

  @Test func propertiesAreCheckedBetweenTheActionsOfAnAnswer() throws {
    let report = explorer().outcomes(of: String.self) { _ in [.answers("a", "b")] }
      .never("half") { $0.log == ["a"] }.explore()
    #expect(try #require(report.counterexamples.first).steps.count == 1)
  }

  @Test func theUserActsBetweenTheActionsOfAnAnswer() {
    let found = logs(
      explorer(user: { $0.log.contains("stop") ? [] : ["stop"] }).outcomes(of: String.self) { _ in
        [.answers("a", "b")]
      })
    #expect(
      found == [[], ["a"], ["a", "b"], ["stop"], ["a", "stop"], ["a", "b", "stop"]])
  }

  @Test func whatFollowsIsDoneInItsOrder() {
    let found = logs(
      explorer().outcomes(of: String.self) { _ in [.sends("a").then(.sends("b")).then(.answers("c", "d"))] })
    #expect(found == [[], ["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]])
  }

  @Test func outcomesDependOnTheStateAndOnWhatWasSent() {
    let found = logs(
      explorer().outcomes(of: String.self) { _, run in
        switch run.sent.count {
        case 0: [.sends("a"), .sends("b")]
        case 1: [.answers("\(run.sent[0]) \(run.state.log.count)")]
        default: [.answers("wrong")]
        }
      })
    #expect(found == [[], ["a"], ["b"], ["a", "a 1"], ["b", "b 1"]])
  }

  // MARK: Connecting

  @Test func aConnectFunctionReadsTheStateThatIsLookedAt() {
    let hasOne = { @Sendable (state: State) in state.log.count == 1 }
    let connect = { @Sendable (store: Store<State, String>) in
      _ = store.connect(while: hasOne) { part in
        let last = Set(part.state.log)
        part.connect(when: { (_: State) -> Set<String> in last }, named: "last", run: { _, _ in })
      }
    }
    let explorer = explorer(user: { $0.log.count < 2 ? ["stop", "go"] : [] }, connecting: connect)
      .outcomes(of: String.self) { _ in [] }
    let seen = Recorder<[String]>()
    let report = explorer.always("recorded") { state, running in
      if state.log.count == 1 { seen.append(state.log + running.requests(of: String.self)) }
      return true
    }
    .explore()
    #expect(report.isClean, "\(report)")
    #expect(Set(seen.values) == [["stop", "stop"], ["go", "go"]])
  }

  @Test func whatAClosureDispatchesIsAMoveOfItsOwnAndComesFirst() {
    let connect = { @Sendable (store: Store<State, String>) in
      _ = store.connect(while: Self.hasBegun) { $0.dispatch("hello") }
    }
    let found = logs(explorer(user: { $0.log.count < 2 ? ["go"] : [] }, connecting: connect))
    #expect(found == [[], ["go"], ["go", "hello"]])
  }

  /// The store of a printed test reduces it by itself.
  @Test func aPrintedTestSendsNothingOfAClosure() throws {
    let report = Explorer(
      initialState: 0, reduce: { (count: inout Int, step: Int) in count += step },
      connect: { _ = $0.connect(while: { $0 > 0 }, named: "part") { $0.dispatch(10) } }
    )
    .userActions { $0 == 0 || $0 == 11 ? [1] : [] }.never("twelve") { $0 == 12 }.explore()
    let found = try #require(report.counterexamples.first)
    #expect(found.story.contains("part sends 10"), "\(found)")
    #expect(found.test.ranges(of: "store.send(1)").count == 2, "\(found)")
    #expect(!found.test.contains("(10)"), "\(found)")
  }

  /// What a closure of a part dispatches that ends before is not reduced.
  @Test func whatAnEndedPartHasDispatchedIsNotReduced() {
    let isLast = { @Sendable (state: State) in state.log == ["go"] }
    let connect = { @Sendable (store: Store<State, String>) in
      _ = store.connect(while: isLast) { $0.dispatch("never") }
      _ = store.connect(while: Self.hasBegun) { store in
        store.dispatch("hello")
        store.dispatch("again")
      }
    }
    let first = { @Sendable (store: Store<State, String>) in
      _ = store.connect(while: Self.hasBegun) { $0.dispatch("first") }
      connect(store)
    }
    let found = logs(explorer(user: { $0.log.isEmpty ? ["go"] : [] }, connecting: first))
    #expect(
      found == [
        [], ["go"], ["go", "first"], ["go", "first", "hello"], ["go", "first", "hello", "again"],
      ])
  }

  /// A `connect` function goes on when the action that it has dispatched is reduced.
  @Test func aConnectFunctionDispatchesBetweenItsConnections() {
    let seen = Recorder<String>()
    let before = { @Sendable (state: State) -> String? in state.log.isEmpty ? "before" : nil }
    let after = { @Sendable (_: State) -> String? in "after" }
    let report = explorer(connecting: { store in
      store.connect(when: before, named: "early") { _, _ in }
      store.dispatch("first")
      store.connect(when: after, named: "late") { _, _ in }
      store.dispatch("second")
    })
    .outcomes(of: String.self) { _ in [] }
    .always("recorded") { state, running in
      seen.append("\(state.log) \(running.requests(of: String.self))")
      return true
    }
    .explore()
    #expect(report.isClean, "\(report)")
    #expect(
      seen.values == [
        #"[] ["before"]"#, #"["first"] ["after"]"#, #"["first", "second"] ["after"]"#,
      ])
  }

  /// A run whose last action makes a closure dispatch returns after that is reduced.
  @Test func aRunReturnsBehindWhatItsLastActionHasLedTo() {
    struct Latest: EffectComponent {
      var replacement: RequestReplacement { .ignore }
      func id(of request: Int) -> Int { 0 }
      func requests(in state: State) -> Set<Int> {
        state.isAsked ? [state.log.contains("again") ? 2 : 1] : []
      }
      func run(_ request: Int, send: Send<String>) async {}
    }
    let seen = Recorder<[Int]>()
    let report = explorer(connecting: { store in
      store.connect(Latest(), named: "latest")
      store.connect(while: Self.hasBegun) { $0.dispatch("again") }
    })
    .outcomes(of: Int.self) { _ in [.answers("done")] }
    .always("recorded") { state, running in
      if state.log.count == 2 { seen.append(running.requests(of: Int.self)) }
      return true
    }
    .explore()
    #expect(report.isClean, "\(report)")
    #expect(seen.values == [[]])
  }

  /// A run that what its last action has led to stops, and asks for anew, is another run.
  @Test func aRunThatIsAskedForAnewBeforeTheLastReturnsGoesOn() {
    let seen = Recorder<[String]>()
    let report = Explorer(
      initialState: State(),
      reduce: { state, action in
        state.log.append(action)
        state.isAsked = action != "stop"
      },
      connect: { store in
        Self.connectWork(store)
        _ = store.connect(while: Self.hasBegun) { part in
          part.dispatch("stop")
          part.dispatch("ask")
        }
      }
    )
    .outcomes(of: String.self) { _, run in run.state.log.isEmpty ? [.answers("a")] : [] }
    .always("recorded") { state, running in
      if state.log == ["a", "stop", "ask"] { seen.append(running.requests(of: String.self)) }
      return true
    }
    .explore()
    #expect(report.isClean, "\(report)")
    #expect(seen.values == [["work"]])
  }

  /// A run that is stopped within an outcome does not go on with it when it is asked for anew.
  @Test func aStoppedRunForgetsItsOutcome() {
    let explorer = Explorer(
      initialState: State(),
      reduce: { (state: inout State, action: String) in
        state.log.append(action)
        if ["stop", "ask"].contains(action) { state.isAsked = action == "ask" }
      }, connect: Self.connectWork
    )
    .userActions { state in
      switch state.log.last {
      case "a": ["stop"]
      case "stop": ["ask"]
      default: []
      }
    }
    .outcomes(of: String.self) { _ in [.answers("a", "b")] }
    .never("b without a") { $0.log.suffix(2) == ["ask", "b"] }
    #expect(explorer.explore(depth: 6).counterexamples.isEmpty)
  }

  @Test func outcomesOfOneRunDependOnTheStateAlone() {
    let found = logs(
      explorer(user: { $0.log.isEmpty ? ["go"] : [] }).outcomes(of: String.self) { _, run in
        run.state.log == ["go"] ? [.answers("a")] : []
      })
    #expect(found == [[], ["go"], ["go", "a"]])
  }

  /// What a closure's action makes other closures dispatch comes behind what has been dispatched.
  @Test func closuresDispatchInTheOrderInWhichTheyAreCalled() {
    let second = { @Sendable (state: State) in state.log.contains("one") }
    let found = logs(
      explorer(
        user: { $0.log.isEmpty ? ["go"] : [] },
        connecting: { store in
          _ = store.connect(while: Self.hasBegun) { part in
            part.dispatch("one")
            part.dispatch("two")
          }
          _ = store.connect(while: second) { $0.dispatch("three") }
        }))
    let whole = ["go", "one", "two", "three"]
    #expect(found == Set((0...4).map { Array(whole.prefix($0)) }))
  }

  /// The closure of a part within a part that begins in one turn is called after those of the outer parts.
  @Test func theClosureOfAPartWithinAPartIsCalledLast() {
    let found = logs(
      explorer(
        user: { $0.log.isEmpty ? ["go"] : [] },
        connecting: { store in
          _ = store.connect(while: Self.hasBegun) { part in
            _ = part.connect(while: Self.hasBegun) { $0.dispatch("inner") }
          }
          _ = store.connect(while: Self.hasBegun) { $0.dispatch("outer") }
        }))
    let whole = ["go", "outer", "inner"]
    #expect(found == Set((0...3).map { Array(whole.prefix($0)) }))
  }

  @Test func aRestartConnectsToTheStateThatItFinds() {
    let report = explorer(
      user: { $0.log.isEmpty ? ["go"] : [] },
      connecting: { store in
        let name = store.state.log.isEmpty ? "early" : "late"
        store.connect(when: { $0.isAsked ? name : nil }, named: name) { _, _ in }
      }
    )
    .outcomes(of: String.self) { _ in [] }.crashes()
    .never("late before the restart") { $0.log.isEmpty && $1.contains("late") }
    .never("late") { $1.contains("late") }
    .explore()
    #expect(report.counterexamples.first?.steps.count == 2, "\(report)")
  }

  @Test func aConnectionThatIsEndedAtOnceIsNone() {
    let report = explorer(connecting: { store in
      store.connect(when: { $0.isAsked ? "work" : nil }, run: { _, _ in }).disconnect()
    })
    .explore()
    #expect(report.unlisted.isEmpty && report.gaps == [.nothingToExplore, .nothingToCheck], "\(report)")
  }

  @Test func aClosureThatEndsAnotherConnectionIsReported() {
    let connect = { @Sendable (store: Store<State, String>) in
      let work = store.connect(when: { $0.isAsked ? "work" : nil }, named: "work", run: { _, _ in })
      store.connect(while: Self.hasBegun) { _ in work.disconnect() }
    }
    let report = explorer(user: { $0.log.isEmpty ? ["go"] : [] }, connecting: connect)
      .outcomes(of: String.self) { _ in [] }
      .explore()
    #expect(report.problems.count == 1 && report.problems[0].hasPrefix("work at "), "\(report)")
    #expect(!report.isClean)
  }

  @Test func twoRequestsOfOneIdentityAreReported() {
    struct Clashing: EffectComponent {
      func id(of request: Int) -> Int { 0 }
      func requests(in state: State) -> Set<Int> { [1, 2] }
      func run(_ request: Int, send: Send<String>) async {}
    }
    let report = explorer(connecting: { $0.connect(Clashing(), named: "clash") })
      .outcomes(of: Int.self) { _ in [] }
      .allowing(.nothingToExplore).explore()
    #expect(report.problems == ["clash asks for two requests of one identity: 1 and 2"])
  }
}
