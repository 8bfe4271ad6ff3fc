import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceStorage
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

/// The tests that an explorer prints: they are in this file as they are printed, compile, and fail as the story says.
@Suite struct PrintedTests {
  struct Offline: Error, Hashable {}

  enum Upload {
    struct State: Hashable, Sendable {
      var files = ["a", "b"]
      var attempts: [String: Int] = [:]
    }

    enum Action: Hashable, Sendable {
      case done(String)
      case failed(String)
      case retrying(String, RetryAttempt<Offline>)
    }

    struct UploadEffect: EffectComponent {
      func requests(in state: State) -> Set<String> { Set(state.files) }
      func run(_ file: String, send: Send<Action>) async throws(Offline) {}
      func action(for failure: Offline, of file: String) -> Action { .failed(file) }
    }

    /// The number of attempts is forgotten when the upload is done.
    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .done(let file), .failed(let file): state.files.removeAll { $0 == file }
      case .retrying(let file, let retry): state.attempts[file] = retry.attempt
      }
    }

    static func connect(to store: Store<State, Action>) {
      let retried = UploadEffect().retried(
        times: 1, by: Backoff(first: .milliseconds(300), jitter: 0), action: { .retrying($1, $0) })
      store.connect(retried.inSequence(), named: "upload")
    }
  }

  /// A failure that is tried again is printed as an action of a run that goes on, and waits are not printed.
  @Test func anAttemptThatIsForgotten() async throws {
    let report = Explorer(initialState: Upload.State(), reduce: Upload.reduce, connect: Upload.connect)
      .outcomes(of: String.self) { [.answers(.done($0)), .fails(Offline())] }
      .always("attempts are those of files") { $0.attempts.keys.allSatisfy($0.files.contains) }
      .explore()
    let found = try #require(report.counterexamples.first)
    #expect(found.story.contains("after 0.3 seconds, upload \"a\" begins to be served"), "\(found)")
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation {
      // swift-format-ignore
      let store = TestStore(
        initialState: PrintedTests.Upload.State(files: ["a", "b"], attempts: [:]),
        reduce: PrintedTests.Upload.reduce, connect: { PrintedTests.Upload.connect(to: $0) })
      store.exhaustivity = .none
      // swift-format-ignore
      if store.inProgress().contains("a") { store.send(.retrying("a", RetryAttempt<PrintedTests.Offline>(attempt: 2, failure: PrintedTests.Offline(), delay: Duration(secondsComponent: 0, attosecondsComponent: 300000000000000000))), from: "a") }
      if store.inProgress().contains("a") { store.answer("a", with: .done("a")) }
      let holds: (PrintedTests.Upload.State) -> Bool = { $0.attempts.keys.allSatisfy($0.files.contains) }
      #expect(holds(store.state))
      await store.finish()
    }
  }

  // MARK: Generic types of the library

  enum Library {
    enum TimerID: Hashable, Sendable { case retry }

    struct State: Hashable, Sendable {
      var books = Journaling<String, Int>()
      var retries = 0

      var timers: Set<TimerRequest<TimerID>> {
        books.failure == nil ? [] : [TimerRequest(.retry, .after(.seconds(2)))]
      }
    }

    enum Action: Equatable, Sendable {
      case added(String)
      case journal(JournalEvent<String, Int>)
      case timer(TimerEvent<TimerID>)
    }

    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .added(let title): state.books[title] = 1
      case .journal(let event): state.books.reduce(event)
      case .timer:
        state.retries += 1
        state.books.retry()
      }
    }

    static func connect(to store: Store<State, Action>) {
      let storage = JournalStorage<String, Int>(at: "/nowhere")
      store.connect(JournalEffect(storage), to: \.books.backlog, action: Action.journal)
      store.connect(TimerEffect(clock: TestClock()), to: \.timers, action: Action.timer)
    }
  }

  @Test func aFullDiskThatIsTriedAgain() async throws {
    let report = Explorer(initialState: Library.State(), reduce: Library.reduce, connect: Library.connect)
      .userActions { $0.books.entries.isEmpty ? [.added("a")] : [] }
      .outcomes(of: JournalRequest<String, Int>.self, sending: JournalEvent<String, Int>.self) { request in
        switch request {
        case .load: [.sends(.loaded(StoredEntries()))]
        case .append(let append):
          [.sends(.failed(.diskFull("d"), generation: append.generation, attempt: append.attempt))]
        }
      }
      .outcomes(of: TimerRequest<Library.TimerID>.self, sending: TimerEvent<Library.TimerID>.self) { timer in
        [.answers(.fired(timer.id, TimerTick(count: 1, due: .seconds(2))))]
      }
      .never("a retry") { $0.retries == 1 }
      .explore()
    let printed = try #require(report.counterexamples.first).test
    #expect(try PrintedTest(printed).isWritten(), "\(printed)")
    // The types of the library that are generic are written with all of their arguments.
    // swift-format-ignore
    await failsByExpectation {
      let store = TestStore(
        initialState: PrintedTests.Library.State(books: Journaling<String, Int>(backlog: JournalBacklog<String, Int>(generation: 0, savedGeneration: 0, attempt: 1, isLoaded: false, failure: nil, unsaved: []), entries: [:], damaged: []), retries: 0),
        reduce: PrintedTests.Library.reduce, connect: { PrintedTests.Library.connect(to: $0) })
      store.exhaustivity = .none
      store.send(.added("a"))
      if store.inProgress().contains(JournalRequest<String, Int>.load(attempt: 1)) { store.send(JournalEvent<String, Int>.loaded(StoredEntries<String, Int>(entries: [:], damaged: [])), from: JournalRequest<String, Int>.load(attempt: 1)) }
      if store.inProgress().contains(JournalRequest<String, Int>.append(JournalAppend<String, Int>(generation: 1, attempt: 1, changes: [NumberedChange<String, Int>(id: "a", change: .set(1), generation: 1, earlier: [NumberedChange<String, Int>(id: "a", change: .removed, generation: 0, earlier: [])])]))) { store.send(JournalEvent<String, Int>.failed(StorageFailure.diskFull("d"), generation: 1, attempt: 1), from: JournalRequest<String, Int>.append(JournalAppend<String, Int>(generation: 1, attempt: 1, changes: [NumberedChange<String, Int>(id: "a", change: .set(1), generation: 1, earlier: [NumberedChange<String, Int>(id: "a", change: .removed, generation: 0, earlier: [])])]))) }
      if store.inProgress().contains(TimerRequest<PrintedTests.Library.TimerID>(.retry, .after(Duration.seconds(2)), tolerance: nil)) { store.answer(TimerRequest<PrintedTests.Library.TimerID>(.retry, .after(Duration.seconds(2)), tolerance: nil), with: TimerEvent<PrintedTests.Library.TimerID>.fired(.retry, TimerTick(count: 1, due: Duration.seconds(2), missed: 0))) }
      let holds: (PrintedTests.Library.State) -> Bool = { $0.retries == 1 }
      #expect(!holds(store.state))
      await store.finish()
    }
  }
}
