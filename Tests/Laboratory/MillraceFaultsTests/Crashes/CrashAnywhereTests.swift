import Millrace
import MillraceFaults
import MillraceTestStore
import MillraceTesting
import Testing

/// An editor that saves what was typed, and may forget something when its program ends.
@Suite struct CrashAnywhereTests {
  struct State: Equatable, Sendable, Codable {
    var text = ""
    var saved = ""
    var saving: String?
    var edits = 0

    enum CodingKeys: CodingKey { case text, saved, saving }

    init(text: String = "", saved: String = "", saving: String? = nil, edits: Int = 0) {
      (self.text, self.saved, self.saving, self.edits) = (text, saved, saving, edits)
    }
  }

  enum Action: Equatable, Sendable {
    case typed(String)
    case saved(String)
  }

  @Sendable private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .typed(let text):
      state.text = text
      state.saving = text
      state.edits += 1
    case .saved(let text):
      state.saved = text
      if state.saving == text { state.saving = nil }
    }
  }

  @Sendable private static func connect(_ store: Store<State, Action>) {
    store.connect(when: \.saving, named: "save") { _, _ in }
  }

  private func test(_ store: TestStore<State, Action>) async {
    store.exhaustivity = .requests
    store.send(.typed("a"))
    store.answer("a", with: .saved("a"))
    store.send(.typed("ab"))
    store.answer("ab", with: .saved("ab"))
    await store.finish()
  }

  @Test func whatIsPersistedIsEnough() async {
    let report = await CrashAnywhere(initialState: State(), reduce: Self.reduce, connect: Self.connect)
      .comparing { [$0.text, $0.saved, $0.saving ?? "-"] }
      .run(test)
    #expect(report.isClean, "\(report)")
    #expect(report.steps == 4)
    #expect(report.description == "4 steps; the program ended and began again at 4 points")
  }

  @Test func whatIsNotPersistedIsTold() async {
    let report = await CrashAnywhere(initialState: State(), reduce: Self.reduce, connect: Self.connect)
      .run(test)
    #expect(
      report.description == """
        What is persisted is not the state:

          after step 1, .typed("a"):

          edits: expected 1, is 0
          (and at 3 other points)

        The test ends with another state:

          after step 1, .typed("a"):

          edits: expected 2, is 1
          (and at 3 other points)

        4 steps; the program ended and began again at 4 points
        """)
  }

  @Test func whatIsForgottenOnPurposeIsNoLossAndIsRightAtTheEnd() async {
    let report = await CrashAnywhere(initialState: State(), reduce: Self.reduce, connect: Self.connect)
      .resetting(\.edits).run(test)
    #expect(
      report.losses.isEmpty
        && report.endings.map(\.text) == ["  edits: expected 2, is 1\n  (and at 3 other points)"])
    #expect(!report.isClean)
    let remade = await CrashAnywhere(
      initialState: State(), reduce: Self.reduce,
      persisting: { State(text: $0.text, saved: $0.saved, saving: $0.saving) },
      connect: { store in
        Self.connect(store)
        store.connect(when: { $0.edits == 0 && !$0.text.isEmpty ? 1 : nil }, named: "count") { _, _ in }
      }
    )
    .resetting(\.edits).comparing(\.text).run(test)
    #expect(remade.isClean, "\(remade)")
  }

  @Test func aRequestThatIsNotAskedForAgain() async {
    // The request is forgotten with the program, so what was typed last is never saved.
    let report = await CrashAnywhere(
      initialState: State(), reduce: Self.reduce,
      persisting: { State(text: $0.text, saved: $0.saved, edits: $0.edits) }, connect: Self.connect
    ).run(test)
    #expect(report.losses.map(\.step) == [1])
    #expect(report.losses.first?.text == "  saving: expected \"a\", is nil\n  (and at 1 other point)")
    #expect(report.endings.map(\.step) == [3])
    #expect(report.endings.first?.text == "  saved: expected \"ab\", is \"a\"")
  }

  @Test func aStateThatCannotBePersisted() async {
    struct Unreadable: Error {}
    let report = await CrashAnywhere(
      initialState: State(), reduce: Self.reduce, persisting: { _ in throw Unreadable() },
      connect: Self.connect
    ).run(test)
    #expect(
      report.losses.map(\.text) == [
        "  the state cannot be persisted: Unreadable()\n  (and at 3 other points)"
      ])
    #expect(report.endings.isEmpty)
  }

  // MARK: Runs that begin again

  private func counter(_ persisting: @escaping @Sendable (Int) throws -> Int = { $0 }) -> CrashAnywhere<
    Int, Int
  > {
    CrashAnywhere(
      initialState: 0, reduce: { $0 += $1 }, persisting: persisting,
      connect: { store in store.connect(when: { $0 < 9 ? "tick" : nil }, named: "clock") { _, _ in } })
  }

  @Test func aRunSendsAgainWhatItHasSentAndTheTestGoesOnFromThere() async {
    @Sendable func test(_ store: TestStore<Int, Int>) async {
      store.exhaustivity = .none
      store.send(1, from: "tick")
      store.send(2, from: "tick")
      await store.finish()
    }
    let report = await counter().run(test)
    #expect(report.losses.isEmpty)
    #expect(report.endings.map(\.text) == ["  expected 3, is 4\n  (and at 1 other point)"])
    #expect(await counter().notReplaying(String.self).run(test).isClean)
    #expect(await !counter().notReplaying(Int.self).run(test).isClean)
  }

  @Test func aRunThatHasReturnedAndIsStillAskedForRunsAgain() async {
    let report = await counter().run { store in
      store.exhaustivity = .none
      store.answer("tick", with: 3)
      store.send(1)
      await store.finish()
    }
    #expect(report.points == 2)
    #expect(report.endings.map(\.text) == ["  expected 4, is 7\n  (and at 1 other point)"])
  }

  @Test func aRunThatHasFailedAndIsStillAskedForFailsAgain() async {
    struct Failed: Error {}
    struct Load: EffectComponent {
      func requests(in state: Int) -> Set<String> { ["a"] }
      func run(_ request: String, send: Send<Int>) async throws(Failed) {}
      func action(for failure: Failed, of request: String) -> Int { 1 }
    }
    let report = await CrashAnywhere<Int, Int>(
      initialState: 0, reduce: { $0 += $1 }, persisting: { $0 }, connect: { $0.connect(Load()) }
    ).run { store in
      store.exhaustivity = .none
      store.fail("a", with: Failed())
      await store.finish()
    }
    #expect(report.endings.map(\.text) == ["  expected 1, is 2"])
  }

  @Test func aBodyThatTheTestHasExecutedIsExecutedAgain() async {
    let report = await CrashAnywhere<Int, Int>(
      initialState: 0, reduce: { $0 += $1 }, persisting: { $0 },
      connect: { store in
        store.connect(when: { Optional($0 / 100) }, named: "load") { _, send in await send(1) }
      }
    ).run { store in
      store.exhaustivity = .none
      store.execute(0)
      await store.receive(1)
      store.send(10)
      await store.finish()
    }
    #expect(report.endings.map(\.text) == ["  expected 11, is 12\n  (and at 1 other point)"])
  }

  @Test func equalRequestsOfTwoConnectionsSendTheirOwn() async {
    let report = await CrashAnywhere<[Int], Int>(
      initialState: [], reduce: { if !$0.contains($1) { $0.append($1) } }, persisting: { $0 },
      connect: { store in
        store.connect(when: { _ in Optional(0) }) { _, _ in }
        store.connect(when: { _ in Optional(0) }, named: "other") { _, _ in }
      }
    ).run { store in
      store.exhaustivity = .none
      store.send(1, from: 0, named: "effect")
      store.send(2, from: 0, named: "other")
      store.send(3, from: 0, named: "effect")
      await store.finish()
    }
    #expect(report.isClean, "\(report)")
    #expect(report.points == 3)
  }

  @Test func aTestThatTakesAnotherWayWhenItIsRunAgainIsNotClean() async {
    var runs = 0
    let report = await counter().run { store in
      runs += 1
      store.exhaustivity = .none
      for _ in 0..<(runs == 1 ? 3 : 2) { store.send(0) }
      await store.finish()
    }
    #expect(report.notReached == 1 && !report.isClean)
    #expect(
      report.description == """
        1 points were not reached: the test takes another way when it is run again

        3 steps; the program ended and began again at 3 points
        """)
  }

  @Test func aTestWithoutStepsIsNotClean() async {
    let report = await counter().run { store in
      #expect(!store.isRerun)
      await store.finish(running: "tick")
    }
    #expect(!report.isClean && report.points == 0)
  }

  @Test func equalRequestsOfTwoPartsSendTheirOwn() async {
    struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      var got = 0
    }
    let report = await CrashAnywhere<KeyedArray<Row>, [Int]>(
      initialState: [Row(id: 1), Row(id: 2)], reduce: { $0[id: $1[0]]?.got = $1[1] }, persisting: { $0 },
      connect: { store in
        store.connectEach(\.self, action: { (id, got: Int) in [id, got] }) { _, row in
          row.connect(when: { _ in Optional("load") }, named: "load") { _, _ in }
        }
      }
    ).run { store in
      store.exhaustivity = .none
      store.send(1, from: "load", in: 1)
      store.send(2, 3, from: "load", in: 2)
      await store.finish()
    }
    #expect(report.isClean, "\(report)")
    #expect(report.points == 3)
  }

  @Test func aSaveIsOnDiskOnceItsRunHasReturned() async {
    struct State: Equatable, Sendable {
      var text = ""
      var sent = ""
    }
    var runs = 0
    let report = await CrashAnywhere<State, String>(
      initialState: State(),
      reduce: { state, action in
        if action.hasPrefix("sent ") { state.sent = state.text } else { state.text = action }
      },
      persisting: { $0 },
      connect: { store in
        store.connect(when: { $0.text.isEmpty ? nil : $0.text }, named: "save") { _, _ in }
        store.connect(when: { $0.text == $0.sent ? nil : $0.text.count }, named: "post") { _, _ in }
      }
    )
    .saving(by: String.self, before: Int.self)
    .run { store in
      runs += 1
      store.exhaustivity = .none
      store.send("a")
      store.answer("a")
      store.answer(1, with: "sent a")
      await store.finish()
    }
    #expect(
      report.description == """
        Sent before it was saved:

          after step 1, "a":

          post 1 was sent, and the program that begins again does not know of it

        3 steps; the program ended and began again at 3 points
        """)
    // A second time only where a request was sent that is not saved.
    #expect(runs == 1 + 3 + 1)
  }

  @Test func aTestWithoutARequestOfANamedTypeIsNotClean() async {
    let report = await CrashAnywhere<String, String>(
      initialState: "", reduce: { $0 = $1 }, persisting: { $0 },
      connect: { store in store.connect(when: { $0.isEmpty ? nil : $0 }, named: "save") { _, _ in } }
    )
    .saving(by: String.self, before: Int.self)
    .run { store in
      store.send("a") { $0 = "a" }
      store.answer("a")
      await store.finish()
    }
    #expect(!report.isClean)
    #expect(
      report.description == """
        The test has no request of Int: nothing was checked

        2 steps; the program ended and began again at 2 points
        """)
  }

  // MARK: Runs to which requests are handed over

  enum Draft {
    struct State: Equatable, Sendable {
      var text = ""
      var saved = ""
      var sent = ""
      /// How often it was told of an older text than that which is saved.
      var stale = 0
    }

    enum Action: Equatable, Sendable {
      case typed(String)
      case saved(String)
      case sent(String)
    }

    struct Save: Hashable, Sendable { let text: String }
    struct Post: Hashable, Sendable { let text: String }

    struct SaveEffect: HandoverEffectComponent {
      typealias Action = Draft.Action
      func id(of request: Save) -> Int { 1 }
      func requests(in state: State) -> Set<Save> {
        state.text == state.saved ? [] : [Save(text: state.text)]
      }
      func run(following requests: RequestUpdates<Save>, send: Send<Action>) async {}
    }

    struct PostEffect: HandoverEffectComponent {
      typealias Action = Draft.Action
      let isEarly: Bool
      func id(of request: Post) -> Int { 1 }
      func requests(in state: State) -> Set<Post> {
        let text = isEarly ? state.text : state.saved
        return text == state.sent ? [] : [Post(text: text)]
      }
      func run(following requests: RequestUpdates<Post>, send: Send<Action>) async {}
    }

    static func report(isEarly: Bool) async -> CrashReport {
      await CrashAnywhere<State, Action>(
        initialState: State(),
        reduce: { state, action in
          switch action {
          case .typed(let text): state.text = text
          case .saved(let text):
            state.saved = text
            if text == "a?", state.text == "ab" { state.stale += 1 }
          case .sent(let text): state.sent = text
          }
        },
        persisting: { $0 },
        connect: { store in
          store.connect(SaveEffect(), named: "save")
          store.connect(PostEffect(isEarly: isEarly), named: "post")
        }
      )
      .saving(by: Save.self, before: Post.self)
      .run { store in
        store.exhaustivity = .requests
        store.send(.typed("a"))
        store.send(.saved("a?"), from: Save(text: "a"))
        store.send(.typed("ab"))
        store.answer(Save(text: "ab"), with: .saved("ab"))
        store.answer(Post(text: "ab"), with: .sent("ab"))
        await store.finish()
      }
    }
  }

  @Test func aRunBeginsAgainWithTheNewestRequestAndWithoutWhatItSentForOlderOnes() async {
    let report = await Draft.report(isEarly: false)
    #expect(report.isClean, "\(report)")
    let early = await Draft.report(isEarly: true)
    #expect(early.losses.isEmpty)
    #expect(
      early.unsavedRequests.map(\.text) == [
        #"  post Post(text: "a") was sent, and the program that begins again does not know of it"#,
        #"  post Post(text: "ab") was sent, and the program that begins again does not know of it"#,
      ])
    #expect(early.unsavedRequests.map(\.step) == [1, 3])
  }
}
