import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

/// What a test is told, and at which line.
@Suite struct TestStoreFailureTests {
  struct Failure: Equatable {
    let message: String
    let line: UInt
  }

  /// The failures that `body` leads to.
  private func failures(_ body: () async -> Void) async -> [Failure] {
    let failures = await FailureCapture.failures { await body() }
    #expect(failures.allSatisfy { "\($0.place.fileID)" == #fileID && "\($0.place.filePath)" == #filePath })
    return failures.map { Failure(message: $0.message, line: $0.place.line) }
  }

  @Test func aStateThatIsNotAsExpected() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore()
      line = #line + 1
      store.send(.ticking(true)) { $0.ticks = 1 }
      store.exhaustivity = .none
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message: """
            The state is not as expected after send(.ticking(true)):

              ticks: expected 1, is 0
              isTicking: expected false, is true
            """, line: line)
      ])
  }

  @Test func aRequestThatNobodyAsksFor() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore()
      store.send(.queryChanged("a")) { $0.query = "a" }
      line = #line + 1
      store.answer("b", with: .arrived([]))
      store.exhaustivity = .none
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message: """
            No request "b" waits for an answer. In progress:

              Feature.SearchEffect "a", asked for by .queryChanged("a"), waits for an answer
            """, line: line)
      ])
  }

  @Test func anAnswerWhereNothingIsInProgress() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore()
      line = #line + 1
      store.fail("b", with: Feature.Offline())
      await store.finish()
    }
    #expect(
      failures == [
        Failure(message: "No request \"b\" waits for an answer. Nothing is in progress.", line: line)
      ])
  }

  @Test func aRequestThatSeveralAskFor() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(Feature.State(rows: [Feature.Row(id: 1), Feature.Row(id: 2)]))
      line = #line + 1
      store.answer("load", with: Feature.RowAction.loaded(""))
      store.exhaustivity = .none
      await store.finish()
    }
    #expect(failures.map(\.line) == [line])
    #expect(
      failures[0].message.hasPrefix(
        "2 requests \"load\" wait for an answer; name one by 'in:'. In progress:\n\n  load \"load\" in "))
  }

  @Test func anActionOfAnotherType() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(Feature.State(rows: [Feature.Row(id: 1)]))
      line = #line + 1
      store.answer("load", with: .ticked)
      store.exhaustivity = .none
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message: """
            load "load" sends Feature.RowAction, not Feature.Action. Give what the effect itself sends; its \
            connection turns that into an action of the store.
            """, line: line)
      ])
  }

  @Test func anErrorOfAnotherType() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(Feature.State(query: "a"))
      line = #line + 1
      store.fail("a", with: CancellationError())
      store.exhaustivity = .none
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message: "Feature.SearchEffect \"a\" throws Feature.Offline, not CancellationError.", line: line)
      ])
  }

  @Test func anActionAfterTheRunWasStoppedByTheOneBefore() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(Feature.State(query: "a"))
      line = #line + 1
      store.answer("a", with: .arrived(["x"]), .arrived(["y"]))
      store.exhaustivity = .none
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message:
            ".arrived([\"y\"]) came too late: what Feature.SearchEffect \"a\" had sent before has stopped it.",
          line: line)
      ])
  }

  @Test func requestsThatAreNotAsExpected() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(Feature.State(query: "a"))
      line = #line + 1
      store.expect(running: "b")
      store.send(.queryChanged(nil)) { $0.query = nil }
      store.expect(stopped: "c")
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message: """
            The requests in progress are not as expected:

              not in progress: "b"
              not expected: Feature.SearchEffect "a", asked for on connect
            """, line: line),
        Failure(
          message: """
            The requests stopped are not as expected:

              not stopped: "c"
            """, line: line + 2),
      ])
  }

  @Test func aRequestThatItsOwnActionHasAnsweredIsNotStopped() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(Feature.State(query: "a"))
      store.send(.arrived(["b"]), from: "a") { ($0.query, $0.results) = (nil, ["b"]) }
      line = #line + 1
      store.expect(stopped: "a")
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message: """
            The requests stopped are not as expected:

              not stopped: "a", answered by its own action .arrived(["b"])
            """, line: line)
      ])
  }

  @Test func whatIsLeftAtTheEnd() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(Feature.State(query: "a"))
      store.send(.queryChanged("b")) { $0.query = "b" }
      store.send(.ticking(true)) { $0.isTicking = true }
      line = #line + 1
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message: """
            Left at the end of the test:

              withdrawn by .queryChanged("b") and never named: Feature.SearchEffect "a", asked for on connect
              in progress: Feature.SearchEffect "b", asked for by .queryChanged("b"), waits for an answer
              in progress: clock Tick(seconds: 1), asked for by .ticking(true), waits for an answer
            """, line: line)
      ])
  }

  @Test func whatWasNotReceived() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(
        serving: .bodies, clock: TestClock(), search: Feature.SearchEffect { [$0] })
      store.send(.queryChanged("a")) { $0.query = "a" }
      await store.settle()
      line = #line + 1
      store.send(.ticking(true)) { $0.isTicking = true }
      store.exhaustivity = .none
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message: """
            Not received before send(.ticking(true)):

              .arrived(["a"]) from Feature.SearchEffect
            """, line: line)
      ])
  }

  @Test func anotherActionIsReceived() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(serving: .bodies, search: Feature.SearchEffect { [$0] })
      store.send(.queryChanged("a")) { $0.query = "a" }
      line = #line + 1
      await store.receive(.arrived(["b"])) { ($0.query, $0.results) = (nil, ["a"]) }
      await store.finish()
    }
    #expect(failures.map(\.line) == [line])
    #expect(failures[0].message.hasPrefix("Another action was received:\n\n  "))
  }

  @Test func nothingIsReceivedAndWhereItWaits() async {
    let clock = TestClock()
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(Feature.State(isTicking: true), serving: .bodies, clock: clock)
      line = #line + 1
      await store.receive(.ticked)
      store.expect(running: Feature.Tick(seconds: 1))
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message: """
            Nothing was received by receive(.ticked). In progress:

              clock Tick(seconds: 1), asked for on connect, waits for a test clock until 1.0 seconds, long-running: \
            steps do not wait for it
            """, line: line)
      ])
  }

  @Test func anotherActionThanTheConditionAsksFor() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(serving: .bodies, search: Feature.SearchEffect { [$0] })
      store.send(.queryChanged("a")) { $0.query = "a" }
      line = #line + 1
      await store.receive(where: { $0 == .ticked }, changing: { ($0.query, $0.results) = (nil, ["a"]) })
      await store.finish()
    }
    #expect(failures == [Failure(message: "Another action was received: .arrived([\"a\"])", line: line)])
  }

  @Test func whatWasNotReceivedAtTheEnd() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(serving: .bodies, search: Feature.SearchEffect { [$0] })
      store.send(.queryChanged("a")) { $0.query = "a" }
      store.exhaustivity = [.state, .actions]
      line = #line + 1
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message: """
            Left at the end of the test:

              answered, not received: Feature.SearchEffect "a", asked for by .queryChanged("a"), with .arrived(["a"])
            """, line: line)
      ])
  }

  @Test func aRunThatReturnedAndWasNeverNamed() async {
    var line: UInt = 0
    let failures = await failures {
      let store = TestStore(
        initialState: "ask", serving: .bodies, reduce: { (_: inout String, _: Int) in },
        connect: { store in store.connect(when: { Optional($0) }, named: "silent") { _, _ in } })
      line = #line + 1
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message: """
            Left at the end of the test:

              returned and never named: silent "ask", asked for on connect
            """, line: line)
      ])
  }

  @Test func anActionAfterTheEnd() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore()
      await store.finish()
      line = #line + 1
      store.send(.ticking(true)) { $0.isTicking = true }
    }
    #expect(
      failures == [
        Failure(message: "send(.ticking(true)) was refused: the store is shut down.", line: line)
      ])
  }

  @Test func aStoreThatIsLetGoOf() async {
    var line: UInt = 0
    let failures = await failures {
      line = #line + 1
      let store = Feature.testStore()
      store.send(.ticking(false))
    }
    #expect(failures == [Failure(message: "The test store was let go of before finish().", line: line)])
  }

  @Test func aBodyThatIgnoresItsEnd() async {
    let gate = Gate()
    var line: UInt = 0
    let failures = await failures {
      let store = TestStore(
        initialState: "ask", serving: .bodies, reduce: { (_: inout String, _: Int) in },
        connect: { store in
          store.connect(when: { Optional($0) }, named: "stubborn") { _, _ in
            await gate.waitIgnoringCancellation()
          }
        })
      store.expect(running: "ask")
      line = #line + 1
      await store.finish(running: "ask")
    }
    gate.open()
    #expect(failures.map(\.line) == [line])
    #expect(failures[0].message.hasPrefix("These do not return though they were stopped:\n\n"))
  }

  @Test func whatTheStoreFinds() async {
    struct Clash: EffectComponent {
      func id(of request: Int) -> Bool { request > 0 }
      func requests(in state: Int) -> Set<Int> { state == 0 ? [] : [1, 2] }
      func run(_ request: Int, send: Send<Int>) async {}
    }
    var line: UInt = 0
    let failures = await failures {
      line = #line + 1
      let store = TestStore(
        initialState: 0, reduce: { (count: inout Int, step: Int) in count += step },
        connect: { $0.connect(Clash()) })
      store.send(1) { $0 = 1 }
      store.exhaustivity = .none
      await store.finish()
    }
    #expect(failures.map(\.line) == [line])
    #expect(failures[0].message.contains("asks for two requests of one identity"))
  }

  @Test func anAnswerThatWasNotReceived() async {
    var line: UInt = 0
    let failures = await failures {
      let store = Feature.testStore(serving: .bodies, search: Feature.SearchEffect { [$0] })
      store.send(.queryChanged("a")) { $0.query = "a" }
      store.exhaustivity = [.state, .requests]
      line = #line + 1
      await store.finish()
    }
    #expect(
      failures == [
        Failure(
          message: """
            Left at the end of the test:

              answered, not received: Feature.SearchEffect "a", asked for by .queryChanged("a")
            """, line: line)
      ])
  }
}
