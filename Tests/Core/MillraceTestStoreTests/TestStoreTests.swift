import Millrace
import MillraceTestStore
import MillraceTesting
import Testing

/// A feature with the usual shapes: a search with failures, a ticking clock, rows with an effect each.
enum Feature {
  struct Offline: Error, Equatable {}

  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var isLoading = true
    var text = ""
  }

  struct State: Equatable, Sendable {
    var query: String?
    var results: [String] = []
    var message: String?
    var ticks = 0
    var isTicking = false
    var rows: KeyedArray<Row> = []
  }

  enum Action: Equatable, Sendable {
    case queryChanged(String?)
    case arrived([String])
    case failed(String)
    case ticking(Bool)
    case ticked
    case added(Int)
    case removed(Int)
    case row(Int, RowAction)
  }

  enum RowAction: Equatable, Sendable {
    case loaded(String)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .queryChanged(let query): state.query = query
    case .arrived(let results):
      state.results = results
      state.query = nil
    case .failed(let message):
      state.message = message
      state.query = nil
    case .ticking(let isTicking): state.isTicking = isTicking
    case .ticked: state.ticks += 1
    case .added(let id): state.rows.append(Row(id: id))
    case .removed(let id): state.rows.remove(id: id)
    case .row(let id, .loaded(let text)):
      state.rows[id: id]?.text = text
      state.rows[id: id]?.isLoading = false
    }
  }

  struct SearchEffect: EffectComponent {
    var search: @Sendable (String) async throws(Offline) -> [String] = { _ in [] }
    func requests(in query: String?) -> Set<String> { query.map { [$0] } ?? [] }
    func run(_ query: String, send: Send<Action>) async throws(Offline) {
      await send(.arrived(try await search(query)))
    }
    func action(for failure: Offline, of query: String) -> Action { .failed("\(query): offline") }
  }

  struct Tick: Hashable {
    let seconds: Int
  }

  static func connect(
    to store: Store<State, Action>, clock: any Clock<Duration> = ContinuousClock(),
    search: SearchEffect = SearchEffect()
  ) {
    store.connect(search, to: \.query)
    let ticks = { @Sendable (state: State) in state.isTicking ? Tick(seconds: 1) : nil }
    store.connect(when: ticks, named: "clock", longRunning: true) { tick, send in
      while (try? await clock.sleep(for: .seconds(tick.seconds))) != nil { await send(.ticked) }
    }
    store.connectEach(\.rows, action: Action.row) { _, row in
      row.connect(when: { $0.isLoading ? "load" : nil }, named: "load") { _, send in
        await send(.loaded("from the network"))
      }
    }
  }

  static func testStore(
    _ initialState: State = State(), serving: RunServing = .answered,
    clock: any Clock<Duration> = ContinuousClock(),
    search: SearchEffect = SearchEffect(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> TestStore<State, Action> {
    TestStore(
      initialState: initialState, serving: serving, reduce: reduce,
      connect: { connect(to: $0, clock: clock, search: search) }, fileID: fileID, filePath: filePath,
      line: line,
      column: column)
  }
}

@Suite struct TestStoreTests {
  @Test func aFeatureIsTestedByHand() async {
    let store = Feature.testStore()
    store.send(.queryChanged("s")) { $0.query = "s" }
    store.send(.queryChanged("swift")) { $0.query = "swift" }
    store.expect(stopped: "s")
    store.answer("swift", with: .arrived(["swift.org"])) {
      $0.results = ["swift.org"]
      $0.query = nil
    }
    store.send(.queryChanged("x")) { $0.query = "x" }
    store.fail("x", with: Feature.Offline()) {
      $0.message = "x: offline"
      $0.query = nil
    }
    await store.finish()
  }

  @Test func elementsAreToldApartByTheirIds() async {
    let store = Feature.testStore()
    store.send(.added(1)) { $0.rows.append(Feature.Row(id: 1)) }
    store.send(.added(2)) { $0.rows.append(Feature.Row(id: 2)) }
    store.expect(running: "load", "load")
    store.answer("load", in: 2, with: Feature.RowAction.loaded("two")) {
      $0.rows[id: 2]?.text = "two"
      $0.rows[id: 2]?.isLoading = false
    }
    store.send(Feature.RowAction.loaded("one"), from: "load", in: 1) {
      $0.rows[id: 1]?.text = "one"
      $0.rows[id: 1]?.isLoading = false
    }
    store.send(.removed(1)) { $0.rows.remove(id: 1) }
    await store.finish()
  }

  @Test func aRunMaySendAndGoOnBesideAnother() async {
    let (store, tick) = (Feature.testStore(), Feature.Tick(seconds: 1))
    store.send(.ticking(true)) { $0.isTicking = true }
    store.send(.queryChanged("a")) { $0.query = "a" }
    store.expect(running: tick, "a")
    store.send(.ticked, .ticked, from: tick) { $0.ticks = 2 }
    store.answer(tick, with: .ticked, .ticking(false)) { ($0.ticks, $0.isTicking) = (3, false) }
    store.fail("a", with: Feature.Offline()) { ($0.message, $0.query) = ("a: offline", nil) }
    await store.finish()
  }

  @Test func bodiesExecuteOnATestClock() async {
    let clock = TestClock()
    let store = Feature.testStore(
      serving: .bodies, clock: clock, search: Feature.SearchEffect { ["\($0).org"] })
    store.send(.queryChanged("swift")) { $0.query = "swift" }
    await store.receive(.arrived(["swift.org"])) {
      $0.results = ["swift.org"]
      $0.query = nil
    }
    store.send(.ticking(true)) { $0.isTicking = true }
    await store.settle()
    for count in 1...3 {
      clock.advance(by: .seconds(1))
      await store.receive(.ticked) { $0.ticks = count }
    }
    store.expect(running: Feature.Tick(seconds: 1))
    await store.finish()
  }

  @Test func oneBodyOfManyExecutes() async {
    let store = Feature.testStore()
    store.send(.added(1)) { $0.rows.append(Feature.Row(id: 1)) }
    store.send(.ticking(true)) { $0.isTicking = true }
    store.execute("load")
    await store.receive(.row(1, .loaded("from the network"))) {
      $0.rows[id: 1]?.text = "from the network"
      $0.rows[id: 1]?.isLoading = false
    }
    await store.finish(running: Feature.Tick(seconds: 1))
  }

  @Test func onlyWhatMattersIsAsserted() async {
    let store = Feature.testStore()
    store.exhaustivity = .none
    store.send(.ticking(true))
    store.send(.queryChanged("swift"))
    store.answer("swift", with: .arrived(["a"])) { $0.results = ["a"] }
    await store.finish()
  }

  @Test func aSliceIsLeftOut() async {
    let store = Feature.testStore()
    store.ignore(\.ticks)
    store.send(.ticking(true)) { $0.isTicking = true }
    store.send(.ticked, from: Feature.Tick(seconds: 1))
    store.send(.ticking(false)) { $0.isTicking = false }
    await store.finish()
  }

  @Test func theRequestsOfAnArrayAreNamed() async {
    let store = Feature.testStore()
    for query in ["a", "b"] { store.send(.queryChanged(query)) { $0.query = query } }
    let queries = ["b"]
    store.expect(running: queries)
    store.send(.queryChanged(nil)) { $0.query = nil }
    store.expect(stopped: ["a", "b"])
    await store.finish()
  }

  @Test func aRunThatWaitsForAnotherValueIsSettled() async {
    let store = TestStore(
      initialState: "hello", serving: .bodies,
      reduce: { (word: inout String, next: String) in word = next.isEmpty ? word : next },
      connect: { $0.connect(Echo()) })
    await store.receive("")
    store.send("hi.") { $0 = "hi." }
    await store.receive("")
    store.expect(running: "hi.")
    await store.finish(running: "hi.")
  }

  /// Says that it has heard each word.
  private struct Echo: HandoverEffectComponent {
    typealias Action = String
    func id(of word: String) -> Character? { word.first }
    func requests(in word: String) -> Set<String> { [word] }
    func run(following words: RequestUpdates<String>, send: Send<String>) async {
      for await _ in words { await send("") }
    }
  }

  @Test func aStoreSettlesOnlyAfterWhatWasStoppedHasReturned() async {
    for _ in 0..<50 {
      let (clock, gate, returned) = (TestClock(), Gate(), Recorder<Int>())
      let store = TestStore(
        initialState: 3, serving: .bodies, reduce: { (count: inout Int, step: Int) in count = step },
        connect: { store in
          store.connect(when: { Set(0..<$0) }, named: "sleeper") { number, send in
            if number == 0 {
              try? await gate.wait()
              await send(0)
            } else {
              try? await clock.sleep(for: .seconds(1))
            }
            returned.append(number)
          }
        })
      await store.settle()
      gate.open()
      await store.receive(0) { $0 = 0 }
      #expect(returned.count == 3)
      store.expect(stopped: 1, 2)
      await store.finish()
    }
  }

  /// A body's own answer withdraws its request, which is no stop: only the other run was stopped.
  @Test func whatABodyAnswersIsNotStopped() async {
    let gate = Gate()
    let store = Feature.testStore(
      serving: .bodies,
      search: Feature.SearchEffect { query in
        if query == "slow" { try? await gate.wait() }
        return [query]
      })
    store.send(.queryChanged("slow")) { $0.query = "slow" }
    await store.settle()
    store.send(.queryChanged("a")) { $0.query = "a" }
    await store.receive(.arrived(["a"])) { ($0.query, $0.results) = (nil, ["a"]) }
    store.expect(stopped: "slow")
    await store.finish()
  }
}
