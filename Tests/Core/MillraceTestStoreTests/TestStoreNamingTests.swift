import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

/// How a test says which run it means, and how a failure does.
@Suite struct TestStoreNamingTests {
  struct State: Equatable, Sendable {
    var text = ""
    var log: [String] = []
    var rows: KeyedArray<Row> = []
    struct Row: Identifiable, Equatable, Sendable { let id: Int }
  }

  enum Action: Equatable, Sendable {
    case text(String)
    case log(String)
    case rows([Int])
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .text(let text): state.text = text
    case .log(let line): state.log.append(line)
    case .rows(let ids):
      state.rows = []
      for id in ids { state.rows.append(State.Row(id: id)) }
    }
  }

  private func store(
    _ text: String = "", serving: RunServing = .answered,
    connect: @escaping @Sendable (Store<State, Action>) -> Void
  ) -> TestStore<State, Action> {
    TestStore(initialState: State(text: text), serving: serving, reduce: Self.reduce, connect: connect)
  }

  /// Two connections that ask for equal requests.
  private func twins(_ text: String = "a", serving: RunServing = .answered) -> TestStore<State, Action> {
    store(text, serving: serving) { store in
      for name in ["first", "second"] {
        store.connect(when: { $0.text.isEmpty ? nil : $0.text }, named: name) { text, send in
          await send(.log("\(name) \(text)"))
        }
      }
    }
  }

  private func failures(_ body: () async -> Void) async -> [String] {
    await FailureCapture.failures { await body() }.map { "\($0.place.line) \($0.message)" }
  }

  @Test func equalRequestsAreToldApartByTheirConnection() async {
    let store = twins()
    store.expect(running: "a", named: "first")
    store.answer("a", named: "second", with: .log("2")) { $0.log = ["2"] }
    store.send(.log("1"), from: "a", named: "first") { $0.log = ["2", "1"] }
    store.send(.text("")) { $0.text = "" }
    store.expect(stopped: [String](), named: "second")
    store.expect(stopped: "a", named: "first")
    await store.finish()
  }

  @Test func equalRequestsOfRowsAreToldApartByPart() async {
    let store = store { store in
      store.connectEach(\.rows, action: { (_: Int, action: Action) in action }) { _, row in
        row.connect(when: { _ in Optional("load") }, named: "load") { _, _ in }
      }
    }
    store.send(.rows([1, 2])) { for id in [1, 2] { $0.rows.append(State.Row(id: id)) } }
    store.expect(running: "load", in: 1)
    store.send(.rows([1])) { $0.rows.remove(id: 2) }
    store.expect(stopped: [String](), in: 1)
    store.expect(stopped: "load", in: 2)
    store.answer("load", in: 1, with: .log("x")) { $0.log = ["x"] }
    await store.finish()
  }

  @Test func theMessageSaysHowToTellThemApart() async {
    let failures = await failures {
      let store = twins()
      store.answer("a", with: .log(""), line: 1)
      await store.finish(line: 2)
    }
    #expect(failures.count == 1)
    #expect(
      failures[0].hasPrefix("1 2 requests \"a\" wait for an answer; name one by 'named:'. In progress:\n\n  ")
    )
  }

  @Test func typesAreNamedWhereTextsAreEqual() async {
    enum One { struct Load: Hashable, Sendable {} }
    enum Two { struct Load: Hashable, Sendable {} }
    let failures = await failures {
      let store = store { $0.connect(when: { _ in Optional(One.Load()) }, named: "load") { _, _ in } }
      store.answer(Two.Load(), with: .log(""), line: 1)
      store.expect(running: Two.Load(), line: 2)
      await store.finish()
    }
    #expect(failures.count == 2)
    #expect(failures.allSatisfy { $0.contains("One.Load") && $0.contains("Two.Load") }, "\(failures)")
  }

  @Test func aRunIsNamedByTheValueThatWasHandedOver() async {
    struct Saves: HandoverEffectComponent {
      typealias Action = TestStoreNamingTests.Action
      func id(of text: String) -> Bool { true }
      func requests(in state: State) -> Set<String> { state.text.isEmpty ? [] : [state.text] }
      func run(following requests: RequestUpdates<String>, send: Send<Action>) async {
        for await text in requests { await send(.log(text)) }
      }
    }
    let store = store("a") { $0.connect(Saves(), named: "saves") }
    store.send(.text("b")) { $0.text = "b" }
    #expect(store.running == ["b"])
    store.expect(running: "b")
    store.send(.log("saved"), from: "b") { $0.log = ["saved"] }
    #expect("\(store.store.activity)".contains("running #1 \"b\""))
    let failures = await failures {
      store.answer("a", with: .log(""), line: 1)
      store.send(.text("")) { $0.text = "" }
      await store.finish(line: 2)
    }
    #expect(failures.count == 1)
    #expect(failures.first?.hasSuffix("saves \"b\", asked for on connect, waits for an answer") == true)
  }

  @Test func anAnswerThatIsGivenTwice() async {
    let failures = await failures {
      let store = twins("a")
      store.answer("a", named: "first", with: .log("1"), line: 11) { $0.log = ["1"] }
      store.answer("a", named: "first", with: .log("1"), line: 12)
      store.answer("a", named: "second", with: .log("2"), line: 13) { $0.log = ["1", "2"] }
      await store.finish()
    }
    #expect(
      failures == [
        """
        12 No request "a" of first waits for an answer. It was answered at \(#fileID):11. In progress:

          second "a", asked for on connect, waits for an answer
        """
      ])
  }

  @Test func anAnswerWhereBodiesServe() async {
    let failures = await failures {
      let gate = Gate()
      let store = store("a", serving: .bodies) {
        $0.connect(when: { Optional($0.text) }, named: "load") { _, _ in try? await gate.wait() }
      }
      store.answer("a", with: .log(""), line: 1)
      await store.finish(running: "a")
    }
    #expect(
      failures == [
        "1 The body of \"a\" serves it, since the test store serves by bodies: receive what it sends."
      ])
  }

  @Test func aClosureThatChangesNothing() async {
    let failures = await failures {
      let store = twins("a")
      store.send(.text("a"), line: 1) { $0.text = "a" }
      store.send(.text("a"), line: 2)
      store.exhaustivity = .none
      store.send(.text("a"), line: 3) { $0.text = "a" }
      await store.finish()
    }
    #expect(
      failures == ["1 The closure of send(.text(\"a\")) changes nothing, and the step neither: leave it out."]
    )
  }

  @Test func twoThreadsAreTold() async throws {
    let watch = TestClock()
    let failures = await FailureCapture.failures {
      let stream = AsyncStream<Int>.makeStream()
      let store = store("a", serving: .bodies) {
        $0.connect(when: { Optional($0.text) }, named: "load") { _, _ in for await _ in stream.stream {} }
      }
      store.measuresWaits(by: watch)
      async let receiving: Void = store.receive(.log("1"), line: 1)
      _ = try? await watch.sleepers(atLeast: 1)
      store.send(.text("a"), line: 2)
      stream.continuation.finish()
      await receiving
      store.exhaustivity = .none
      await store.finish(line: 3)
    }
    #expect(failures.first?.place.line == 2)
    #expect(
      failures.first?.message.hasPrefix(
        "send(.text(\"a\")) begins while receive(.log(\"1\")) at \(#fileID):1 goes on: ") == true)
    #expect(failures.allSatisfy { $0.place.line != 3 })
  }

  @Test func whatWasSentBeforeAnAnswerIsToldOnceAndMayBeReceived() async {
    let failures = await failures {
      let store = twins("a")
      store.execute("a", named: "first")
      await store.settle()
      store.answer("a", named: "second", with: .log("2"), line: 1) { $0.log.append("2") }
      await store.receive(.log("first a"), line: 2)
      await store.finish(line: 3)
    }
    #expect(failures == ["1 Not received before answer(\"a\"):\n\n  .log(\"first a\") from first"])
  }

  @Test func whatWasSentBeforeAnAnswerStaysWhereNotAllIsReceived() async {
    let store = twins("a")
    store.exhaustivity = [.state, .requests]
    store.execute("a", named: "first")
    await store.settle()
    store.answer("a", named: "second", with: .log("2")) { $0.log = ["first a", "2"] }
    await store.receive(where: { $0 == .log("first a") }, changing: { $0.log = ["first a"] })
    store.exhaustivity = .none
    await store.finish()
  }

  /// What a component dispatches is not taken for what the test has sent.
  @Test func whatAComponentSendsHasToBeReceived() async {
    final class Echo: Component {
      let store: Store<State, Action>
      init(_ store: Store<State, Action>) { self.store = store }
      func update(_ text: String) async { if text == "echo" { store.dispatch(.log("echo")) } }
    }
    let store = store { store in store.connect(Echo(store), to: \.text) }
    store.send(.text("echo")) { $0.text = "echo" }
    await store.receive(.log("echo")) { $0.log = ["echo"] }
    store.send(.text("")) { $0.text = "" }
    await store.settle()
    let failures = await failures {
      store.send(.text("echo")) { $0.text = "echo" }
      await store.finish(line: 1)
    }
    #expect(failures == ["1 Left at the end of the test:\n\n  not received: .log(\"echo\")"])
  }

  // MARK: Parts within parts

  private struct Folder: Identifiable, Hashable, Sendable {
    struct File: Identifiable, Hashable, Sendable {
      let id: String
      var isLoaded = false
    }

    let id: Int
    var files: KeyedArray<File> = [File(id: "a")]
  }

  private enum FolderAction: Sendable { case loaded(String) }

  /// Elements of two parents may have equal ids: then the ids of all parts name one.
  @Test func equalIdsOfTwoParentsAreToldApart() async {
    let folders = TestStore(
      initialState: [Folder(id: 1), Folder(id: 2)] as KeyedArray<Folder>,
      reduce: { (folders, action: (folder: Int, FolderAction)) in
        if case .loaded(let id) = action.1 { folders[id: action.folder]?.files[id: id]?.isLoaded = true }
      },
      connect: { store in
        store.connectEach(\.self, action: { (folder: $0, $1) }) { _, folder in
          folder.connectEach(\.files, action: { id, _ in FolderAction.loaded(id) }) { _, file in
            file.connect(when: { $0.isLoaded ? nil : "load" }, named: "load") { _, send in await send(()) }
          }
        }
      })
    let failures = await FailureCapture.failures {
      folders.answer("load", in: "a", with: ())
      folders.answer("load", in: [2, "a"] as [AnyHashable], with: ()) {
        $0[id: 2]?.files[id: "a"]?.isLoaded = true
      }
      #expect(folders.inProgress(in: [1, "a"] as [AnyHashable]).count == 1)
      #expect(
        folders.inProgress(in: [2, "a"] as [AnyHashable]).isEmpty && folders.inProgress(in: "a").count == 1)
      folders.answer("load", in: "a", with: ()) { $0[id: 1]?.files[id: "a"]?.isLoaded = true }
      await folders.finish()
    }
    #expect(failures.count == 1, "\(failures)")
    let hint = "name one by 'in:' with the ids of all parts, outermost first. In progress:"
    #expect(failures.first?.message.contains(hint) == true, "\(failures)")
  }

  /// Of two connections with one name and equal requests, none can be named.
  @Test func connectionsOfOneNameAreSaid() async {
    let store = store { store in
      for _ in 1...2 { store.connect(when: { _ in Optional("page") }) { _, _ in } }
    }
    let failures = await FailureCapture.failures { store.answer("page", with: .log("x")) }
    #expect(failures.first?.message.contains("give their connections different names. In progress:") == true)
    store.exhaustivity = .none
    await store.finish()
  }
}
