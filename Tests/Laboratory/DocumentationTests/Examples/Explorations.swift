import Millrace
import MillraceExplorer
import MillraceFaults
import MillraceTestStore
import MillraceTesting
import Testing

@Suite struct ExplorationExamples {
  struct Offline: Error {}

  /// A search with a spinner, all of whose outcomes are thought of.
  enum Search {
    struct State: Hashable, Sendable {
      var query: String?
      var results: [String] = []
      var isLoading = false
    }

    enum Action: Equatable, Sendable {
      case queryChanged(String)
      case cleared
      case arrived([String])
      case failed
    }

    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .queryChanged(let query): state = State(query: query, isLoading: true)
      case .cleared: state = State()
      case .arrived(let results): state = State(results: results)
      case .failed: state = State()
      }
    }

    struct Effect: EffectComponent {
      func requests(in state: State) -> Set<String> { state.query.map { [$0] } ?? [] }
      func run(_ query: String, send: Send<Action>) async throws(Offline) {}
      func action(for failure: Offline, of query: String) -> Action { .failed }
    }

    static func connect(to store: Store<State, Action>) { store.connect(Effect()) }
  }

  /// Photos that are loaded, of which it does not matter which is which.
  enum Album {
    struct Photo: Identifiable, Hashable, Sendable {
      let id: String
      var isShown = false
    }

    struct State: Hashable, Sendable {
      var photos: KeyedArray<Photo>

      init(names: [String]) { photos = KeyedArray(uniqueElements: names.map { Photo(id: $0) }) }
    }

    enum Action: Sendable {
      case loaded(String)
    }

    static func reduce(_ state: inout State, _ action: Action) {
      if case .loaded(let id) = action { state.photos[id: id]?.isShown = true }
    }

    static func connect(to store: Store<State, Action>) {
      let hidden = { @Sendable (state: State) in Set(state.photos.filter { !$0.isShown }.map(\.id)) }
      store.connect(when: hidden) { id, send in await send(.loaded(id)) }
    }
  }

  @Test("photos are explored as one like the other")
  func symmetry() {
    // Explorer.init(initialState:comparing:reduce:connect:)
    let explorer =
      Explorer(
        initialState: Album.State(names: ["a", "b", "c", "d"]),
        comparing: { state, running in
          state.photos.map { [$0.isShown, running.contains($0.id)] }.sorted { "\($0)" < "\($1)" }
        },
        reduce: Album.reduce, connect: Album.connect
      )
      .outcomes(of: String.self) { [.answers(.loaded($0)), .answers()] }
    let all = Explorer(
      initialState: Album.State(names: ["a", "b", "c", "d"]), reduce: Album.reduce, connect: Album.connect
    )
    .outcomes(of: String.self) { [.answers(.loaded($0)), .answers()] }
    #expect(explorer.explore().counts.states == 15)
    #expect(all.explore().counts.states == 81)
  }

  /// A download that tells how far it is.
  enum Transfer {
    struct State: Hashable, Sendable {
      var percent: Int?
    }

    enum Action: Sendable {
      case began
      case half
      case done
      case failed
    }

    struct Download: Hashable, Sendable {
      var number = 1
    }

    struct DownloadEffect: EffectComponent {
      func requests(in state: State) -> Set<Download> { state.percent == 100 ? [] : [Download()] }
      func run(_ request: Download, send: Send<Action>) async throws(Offline) {}
      func action(for failure: Offline, of request: Download) -> Action { .failed }
    }

    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .began: state.percent = 0
      case .half: state.percent = 50
      case .done: state.percent = 100
      case .failed: state.percent = nil
      }
    }
  }

  @Test("a download that does one thing after the other")
  func order() {
    // Explorer.outcomes(of:from:_:), for outcomes that depend on the run
    let report = Explorer(initialState: Transfer.State(), reduce: Transfer.reduce) {
      $0.connect(Transfer.DownloadEffect())
    }
    .outcomes(of: Transfer.Download.self) { download, run in
      run.sent.isEmpty ? [.sends(.began)] : [.sends(.half).then(.answers(.done)), .fails(Offline())]
    }
    .never("done at once") { state in state.percent == 100 && state == Transfer.State() }
    .explore()
    #expect(report.isClean, "\(report)")
    // Nothing, begun, half, done, failed.
    #expect(report.counts.states == 5)
  }

  @Test("a download that ends in one of two ways")
  func ways() {
    let report = Explorer(initialState: Transfer.State(), reduce: Transfer.reduce) {
      $0.connect(Transfer.DownloadEffect())
    }
    // Outcome.then(_:fileID:line:)
    .outcomes(of: Transfer.Download.self) { download in
      [.sends(.began).then(.answers(.done)), .sends(.began).then(.fails(Offline()))]
    }
    .always("there is a share of the whole") { state, _ in (0...100).contains(state.percent ?? 0) }
    .explore()
    #expect(report.isClean, "\(report)")
    // Nothing; begun, and going to end in one way or the other; done; failed.
    #expect(report.counts.states == 5)
  }

  /// A mailbox with a list that sends what is opened.
  enum Mailbox {
    struct State: Hashable, Sendable {
      var attempt: Int? = 1
      var messages: Int?
      var opened = 0
    }

    enum Action: Sendable {
      case arrived(Int)
      case failed
      case opened(Int)
    }

    final class MessageList: Component {
      func update(_ messages: Int?) async {}
    }

    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .arrived(let messages): (state.attempt, state.messages) = (nil, messages)
      case .failed: state.attempt = state.attempt.flatMap { $0 < 3 ? $0 + 1 : nil }
      case .opened: state.opened += 1
      }
    }

    @Sendable static func connect(to store: Store<State, Action>) {
      let failure = { @Sendable (_: Offline, _: Int) in Action.failed }
      store.connect(when: \.attempt, failure: failure, named: "load") { _, _ throws(Offline) in }
      store.connect(MessageList(), to: \.messages, named: "MessageList")
    }
  }

  @Test("a mailbox with a list, explored up to a depth")
  func mailbox() {
    // ExploringAFeature, Explorer.component(_:sends:), Explorer.eventually, Explorer.allowing
    let report = Explorer(initialState: Mailbox.State(), reduce: Mailbox.reduce, connect: Mailbox.connect)
      .outcomes(of: Int.self) { _ in [.answers(.arrived(3)), .fails(Offline())] }
      .component("MessageList") { state in state.messages.map { [.opened($0)] } ?? [] }
      .eventually("loading ends") { state in state.attempt == nil }
      .allowing(.depth)
      .explore(depth: 8)
    #expect(report.isClean && report.gaps == [.depth], "\(report)")
  }

  @Test("a search is explored")
  func search() {
    // Explorer
    let report = Explorer(initialState: Search.State(), reduce: Search.reduce) { Search.connect(to: $0) }
      .userActions { _ in [.queryChanged("a"), .queryChanged("ab"), .cleared] }
      .outcomes(of: String.self) { query in [.answers(.arrived([query])), .fails(Offline())] }
      .always("no spinner without a request") { state, running in !state.isLoading || !running.isEmpty }
      .alwaysReachable("the search comes to rest") { state in !state.isLoading }
      .explore(depth: 12)
    #expect(report.isClean, "\(report)")
  }

  @Test("a forecast is explored")
  func forecast() {
    // ExploringAFeature
    let report = Explorer(
      initialState: Weather.State(), comparing: { [$0.city, $0.forecast, $0.problem] },
      reduce: Weather.reduce, connect: { Weather.connect(to: $0, service: Almanac()) }
    )
    .userActions { _ in [.cityChosen("Bergen"), .cityChosen("Cairo"), .retryTapped] }
    .outcomes(of: String.self) { city in
      [.answers(.forecastArrived("rain in \(city)")), .fails(WeatherError.unknownCity)]
    }
    .always("a forecast is that of the city") { $0.forecast.map(["rain in \($0.city)"].contains) ?? true }
    .alwaysReachable("it comes to rest") { $0.city.isEmpty || $0.forecast != nil || $0.problem != nil }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("a search whose program may begin again at any time")
  func restarts() {
    // Explorer.crashes(restored:)
    let explorer = Explorer(initialState: Search.State(), reduce: Search.reduce) { Search.connect(to: $0) }
      .userActions { _ in [.queryChanged("a"), .cleared] }
      .outcomes(of: String.self) { query in [.answers(.arrived([query])), .fails(Offline())] }
      .always("no spinner without a request") { state, running in !state.isLoading || !running.isEmpty }
    let report = explorer.crashes(restored: { Search.State(query: $0.query, isLoading: $0.isLoading) })
      .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("a forecast whose program may begin again at any time")
  func forecastRestarts() {
    // ExploringAFeature, crashes(restored:)
    let report = Explorer(
      initialState: Weather.State(), comparing: { [$0.city, $0.forecast, $0.problem] },
      reduce: Weather.reduce, connect: { Weather.connect(to: $0, service: Almanac()) }
    )
    .userActions { _ in [.cityChosen("Bergen"), .retryTapped] }
    .outcomes(of: String.self) { city in
      [.answers(.forecastArrived("rain in \(city)")), .fails(WeatherError.unknownCity)]
    }
    .crashes(restored: { Weather.State(city: $0.city, forecast: $0.forecast) })
    .alwaysReachable("it comes to rest") { $0.city.isEmpty || $0.forecast != nil || $0.problem != nil }
    .explore()
    #expect(report.isClean, "\(report)")
  }

  @Test("a forecast with faults")
  func faults() async {
    // TestingFaults, FaultMatrix
    let report = await FaultMatrix(
      initialState: Weather.State(), reduce: Weather.reduce,
      connect: { Weather.connect(to: $0, service: Almanac()) }
    )
    .failures(of: String.self) { _ in WeatherError.unknownCity }
    .invariant("a problem or a forecast") { $0.problem == nil || $0.forecast == nil }
    .run { store in
      store.send(.cityChosen("Bergen")) { $0.city = "Bergen" }
      store.answer("Bergen", with: .forecastArrived("rain")) { $0.forecast = "rain" }
      await store.finish()
    }
    #expect(report.isClean, "\(report)")
  }

  @Test("a forecast with crashes")
  func crashes() async {
    // TestingFaults, CrashAnywhere
    let report = await CrashAnywhere(
      initialState: Weather.State(), reduce: Weather.reduce,
      persisting: { Weather.State(city: $0.city, forecast: $0.forecast) },
      connect: { Weather.connect(to: $0, service: Almanac()) }
    )
    .run { store in
      store.send(.cityChosen("Bergen")) { $0.city = "Bergen" }
      store.answer("Bergen", with: .forecastArrived("rain")) { $0.forecast = "rain" }
      await store.finish()
    }
    #expect(report.isClean, "\(report)")
  }

  /// A note that is saved, and posted once it is.
  enum Note {
    struct State: Equatable, Sendable {
      var text = ""
      var saved = ""
      var posted = ""
    }

    enum Action: Equatable, Sendable {
      case typed(String)
      case saved(String)
      case posted(String)
    }

    struct Save: Hashable, Sendable { let text: String }
    struct Post: Hashable, Sendable { let text: String }

    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .typed(let text): state.text = text
      case .saved(let text): state.saved = text
      case .posted(let text): state.posted = text
      }
    }

    /// A note is posted once it is saved.
    static func connect(to store: Store<State, Action>) {
      store.connect(
        when: { $0.text == $0.saved ? nil : Save(text: $0.text) }, named: "save", run: { _, _ in })
      store.connect(
        when: { $0.saved == $0.posted ? nil : Post(text: $0.saved) }, named: "post", run: { _, _ in })
    }
  }

  @Test("a note that is saved before it is posted")
  func saving() async {
    let report = await report(Note.connect)
    #expect(report.isClean, "\(report)")
  }

  private func report(
    _ connect: @escaping @Sendable (Store<Note.State, Note.Action>) -> Void
  ) async -> CrashReport {
    // TestingFaults, CrashAnywhere.saving(by:before:)
    await CrashAnywhere(
      initialState: Note.State(), reduce: Note.reduce, persisting: { $0 }, connect: connect
    )
    .saving(by: Note.Save.self, before: Note.Post.self)
    .run { store in
      store.send(.typed("milk")) { $0.text = "milk" }
      store.answer(Note.Save(text: "milk"), with: .saved("milk")) { $0.saved = "milk" }
      store.answer(Note.Post(text: "milk"), with: .posted("milk")) { $0.posted = "milk" }
      await store.finish()
    }
  }
}

/// A length whose initializer has no label.
struct Meters: Hashable, Sendable {
  let value: Int

  init(_ value: Int) { self.value = value }
}

// ExploringAFeature, SwiftSourceConvertible
extension Meters: SwiftSourceConvertible {
  var source: String { "Meters(\(value))" }
}
