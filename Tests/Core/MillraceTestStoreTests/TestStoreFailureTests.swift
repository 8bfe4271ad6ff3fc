import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

/// What a test is told, and at which line.
@Suite struct TestStoreFailureTests {
  /// Expects that `body` leads to these failures, each at the line that its number says; the last step leaves nothing to tell.
  private func expect(
    _ expected: String..., sourceLocation: SourceLocation = #_sourceLocation, of body: () async -> Void
  ) async {
    let failures = await FailureCapture.failures { await body() }
    #expect(
      failures.map { "\($0.place.line) \($0.message)" } == expected, sourceLocation: sourceLocation)
  }

  /// Ends a test of which only the failures so far matter.
  private func end<State, Action>(_ store: TestStore<State, Action>) async {
    store.exhaustivity = .none
    await store.finish()
  }

  private func bodies(_ state: Feature.State = Feature.State()) -> TestStore<Feature.State, Feature.Action> {
    Feature.testStore(state, serving: .bodies, clock: TestClock(), search: Feature.SearchEffect { [$0] })
  }

  @Test func aFailureIsToldAtTheLineOfItsStep() async {
    var line: UInt = 0
    let failures = await FailureCapture.failures {
      let store = Feature.testStore()
      line = #line + 1
      store.fail("b", with: Feature.Offline())
      await store.finish()
    }
    #expect(failures.map(\.message) == ["No request \"b\" waits for an answer. Nothing is in progress."])
    #expect(failures.map(\.place.line) == [line])
    #expect(failures.allSatisfy { "\($0.place.fileID)" == #fileID && "\($0.place.filePath)" == #filePath })
  }

  @Test func aStateThatIsNotAsExpected() async {
    await expect(
      """
      7 The state is not as expected after send(.ticking(true)):

        ticks: expected 1, is 0
        isTicking: expected false, is true
      """
    ) {
      let store = Feature.testStore()
      store.send(.ticking(true), line: 7) { $0.ticks = 1 }
      await end(store)
    }
  }

  @Test func aRequestThatNobodyAsksFor() async {
    await expect(
      """
      7 No request "b" waits for an answer. In progress:

        Feature.SearchEffect "a", asked for by .queryChanged("a"), waits for an answer
      """
    ) {
      let store = Feature.testStore()
      store.send(.queryChanged("a")) { $0.query = "a" }
      store.answer("b", with: .arrived([]), line: 7)
      await end(store)
    }
  }

  @Test func aRequestThatSeveralAskFor() async {
    let failures = await FailureCapture.failures {
      let store = Feature.testStore(Feature.State(rows: [Feature.Row(id: 1), Feature.Row(id: 2)]))
      store.answer("load", with: Feature.RowAction.loaded(""))
      await end(store)
    }
    #expect(failures.count == 1)
    #expect(
      failures[0].message.hasPrefix(
        "2 requests \"load\" wait for an answer; name one by 'in:'. In progress:\n\n  load \"load\" in "))
  }

  @Test func anActionOrAnErrorOfAnotherType() async {
    await expect(
      """
      7 load "load" sends Feature.RowAction, not Feature.Action. Give what the effect itself sends; its \
      connection turns that into an action of the store.
      """, "8 Feature.SearchEffect \"a\" throws Feature.Offline, not CancellationError."
    ) {
      let store = Feature.testStore(Feature.State(query: "a", rows: [Feature.Row(id: 1)]))
      store.answer("load", with: .ticked, line: 7)
      store.fail("a", with: CancellationError(), line: 8)
      store.fail("a", with: Feature.Offline()) {
        $0.message = "a: offline"
        $0.query = nil
      }
      await end(store)
    }
  }

  @Test func anActionAfterTheRunWasStoppedByTheOneBefore() async {
    await expect(
      "7 .arrived([\"y\"]) came too late: what Feature.SearchEffect \"a\" had sent before has stopped it."
    ) {
      let store = Feature.testStore(Feature.State(query: "a"))
      store.answer("a", with: .arrived(["x"]), .arrived(["y"]), line: 7)
      await end(store)
    }
  }

  @Test func requestsThatAreNotAsExpected() async {
    await expect(
      """
      7 The requests in progress are not as expected:

        not in progress: "b"
        not expected: Feature.SearchEffect "a", asked for on connect
      """,
      """
      8 The requests stopped are not as expected:

        not stopped: "c"
      """
    ) {
      let store = Feature.testStore(Feature.State(query: "a"))
      store.expect(running: "b", line: 7)
      store.send(.queryChanged(nil)) { $0.query = nil }
      store.expect(stopped: "c", line: 8)
      await store.finish()
    }
  }

  @Test func aRequestThatItsOwnActionHasAnsweredIsNotStopped() async {
    await expect(
      """
      7 The requests stopped are not as expected:

        not stopped: "a", answered by its own action .arrived(["b"])
      """
    ) {
      let store = Feature.testStore(Feature.State(query: "a"))
      store.send(.arrived(["b"]), from: "a") { ($0.query, $0.results) = (nil, ["b"]) }
      store.expect(stopped: "a", line: 7)
      await store.finish()
    }
  }

  @Test func whatIsLeftAtTheEnd() async {
    await expect(
      """
      7 Left at the end of the test:

        withdrawn by .queryChanged("b") and never named: Feature.SearchEffect "a", asked for on connect
        in progress: Feature.SearchEffect "b", asked for by .queryChanged("b"), waits for an answer
        in progress: clock Tick(seconds: 1), asked for by .ticking(true), waits for an answer
      """
    ) {
      let store = Feature.testStore(Feature.State(query: "a"))
      store.send(.queryChanged("b")) { $0.query = "b" }
      store.send(.ticking(true)) { $0.isTicking = true }
      await store.finish(line: 7)
    }
  }

  @Test func whatWasNotReceived() async {
    await expect(
      """
      7 Not received before send(.ticking(true)):

        .arrived(["a"]) from Feature.SearchEffect
      """
    ) {
      let store = bodies()
      store.send(.queryChanged("a")) { $0.query = "a" }
      await store.settle()
      store.send(.ticking(true), line: 7) { $0.isTicking = true }
      await end(store)
    }
  }

  @Test func anotherActionIsReceived() async {
    let failures = await FailureCapture.failures {
      let store = bodies()
      store.send(.queryChanged("a")) { $0.query = "a" }
      await store.receive(.arrived(["b"])) { ($0.query, $0.results) = (nil, ["a"]) }
      await store.finish()
    }
    #expect(failures.count == 1)
    #expect(failures[0].message.hasPrefix("Another action was received:\n\n  "))
    await expect("7 Another action was received: .arrived([\"a\"])") {
      let store = bodies()
      store.send(.queryChanged("a")) { $0.query = "a" }
      await store.receive(
        where: { $0 == .ticked }, line: 7, changing: { ($0.query, $0.results) = (nil, ["a"]) })
      await store.finish()
    }
  }

  @Test func nothingIsReceivedAndWhereItWaits() async {
    await expect(
      """
      7 Nothing was received by receive(.ticked). In progress:

        clock Tick(seconds: 1), asked for on connect, waits for a test clock until 1.0 seconds, long-running: \
      steps do not wait for it
      """
    ) {
      let store = bodies(Feature.State(isTicking: true))
      await store.receive(.ticked, line: 7)
      store.expect(running: Feature.Tick(seconds: 1))
      await store.finish()
    }
  }

  @Test(
    "an answer that was not received is told at the end, with the action where actions count",
    arguments: [
      ([.state, .actions], #", with .arrived(["a"])"#), ([.state, .requests], ""),
    ] as [(Exhaustivity, String)])
  func notReceived(exhaustivity: Exhaustivity, with action: String) async {
    await expect(
      """
      7 Left at the end of the test:

        answered, not received: Feature.SearchEffect "a", asked for by .queryChanged("a")\(action)
      """
    ) {
      let store = bodies()
      store.send(.queryChanged("a")) { $0.query = "a" }
      store.exhaustivity = exhaustivity
      await store.finish(line: 7)
    }
  }

  @Test func aRunThatReturnedAndWasNeverNamed() async {
    await expect(
      """
      7 Left at the end of the test:

        returned and never named: silent "ask", asked for on connect
      """
    ) {
      let store = TestStore(
        initialState: "ask", serving: .bodies, reduce: { (_: inout String, _: Int) in },
        connect: { store in store.connect(when: { Optional($0) }, named: "silent") { _, _ in } })
      await store.finish(line: 7)
    }
  }

  @Test func anActionAfterTheEndAndNoEnd() async {
    await expect("7 send(.ticking(true)) was refused: the store is shut down.") {
      let store = Feature.testStore()
      await store.finish()
      store.send(.ticking(true), line: 7) { $0.isTicking = true }
    }
    await expect("7 The test store was let go of before finish().") {
      let store = Feature.testStore(line: 7)
      store.send(.ticking(false))
    }
  }

  @Test func aBodyThatIgnoresItsEnd() async {
    let gate = Gate()
    let failures = await FailureCapture.failures {
      let store = TestStore(
        initialState: "ask", serving: .bodies, reduce: { (_: inout String, _: Int) in },
        connect: { store in
          store.connect(when: { Optional($0) }, named: "stubborn") { _, _ in
            await gate.waitIgnoringCancellation()
          }
        })
      store.expect(running: "ask")
      await store.finish(running: "ask")
    }
    gate.open()
    #expect(failures.count == 1)
    #expect(failures[0].message.hasPrefix("These do not return though they were stopped:\n\n"))
  }

  @Test func whatTheStoreFinds() async {
    struct Clash: EffectComponent {
      func id(of request: Int) -> Bool { request > 0 }
      func requests(in state: Int) -> Set<Int> { state == 0 ? [] : [1, 2] }
      func run(_ request: Int, send: Send<Int>) async {}
    }
    let failures = await FailureCapture.failures {
      let store = TestStore(
        initialState: 0, reduce: { (count: inout Int, step: Int) in count += step },
        connect: { $0.connect(Clash()) }, line: 7)
      store.send(1) { $0 = 1 }
      await end(store)
    }
    #expect(failures.map(\.place.line) == [7])
    #expect(failures[0].message.contains("asks for two requests of one identity"))
  }
}
