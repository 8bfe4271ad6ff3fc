import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceStorage
import MillraceTestStore
import MillraceTesting
import Testing

@Suite struct OwnActionExamples {
  /// A list that is refreshed every thirty seconds, and saved.
  enum Feed {
    struct State: Hashable, Sendable {
      var timers: Set = [TimerRequest("refresh", .every(.seconds(30)))]
      var refreshes = 0
      var names = Saving(["a"])
    }

    enum Action: Equatable, Sendable {
      case refreshed
      case timer(TimerEvent<String>)
      case storage(StorageEvent)
    }

    static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .refreshed: state.names.save { $0 = ["a", "b"] }
      case .timer(.fired): state.refreshes += 1
      case .timer: state.timers = []
      case .storage(let event): state.names.reduce(event)
      }
    }
  }

  @Test("by hand a run sends the actions of its effect")
  func byHand() async {
    // TestingAFeature, actions of an effect
    let store = TestStore(initialState: Feed.State(), reduce: Feed.reduce) {
      $0.connect(TimerEffect(), to: \.timers, action: Feed.Action.timer)
    }
    let refresh = TimerRequest("refresh", .every(.seconds(30)))
    store.send(TimerEvent.fired("refresh", TimerTick(count: 1, due: .seconds(30))), from: refresh) {
      $0.refreshes = 1
    }
    await store.finish(running: refresh)
  }

  @Test("one body executes, on a test clock")
  func executed() async {
    let clock = TestClock()
    let store = TestStore(initialState: Feed.State(), reduce: Feed.reduce) {
      $0.connect(TimerEffect(clock: clock), to: \.timers, action: Feed.Action.timer)
    }
    let refresh = TimerRequest("refresh", .every(.seconds(30)))
    // TestingAFeature, one body
    store.execute(refresh)
    await store.advance(clock, by: .seconds(30))
    await store.receive(.timer(.fired("refresh", TimerTick(count: 1, due: .seconds(30))))) {
      $0.refreshes = 1
    }
    await store.finish(running: refresh)
  }

  @Test("an explorer lists the actions of an effect")
  func explored() {
    let loaded = Saving(StoredValue(value: ["a"]), or: ["a"])
    let storage = FileStorage<[String]>(at: "never opened")
    let report = Explorer(
      initialState: Feed.State(timers: [], names: loaded), reduce: Feed.reduce
    ) {
      $0.connect(StorageEffect(storage), to: \.names, action: Feed.Action.storage)
    }
    .userActions { $0.names.isSaved ? [.refreshed] : [] }
    // ExploringAFeature, actions of an effect
    .outcomes(of: SaveRequest<[String]>.self, sending: StorageEvent.self) { save in
      [
        .sends(.began(generation: save.generation)).then(.answers(.saved(generation: save.generation))),
        .answers(.failed(.diskFull("names"), generation: save.generation, attempt: save.attempt)),
      ]
    }
    .alwaysReachable("the names are saved, or a failure says why not") {
      $0.names.isSaved || $0.names.failure != nil
    }
    .explore()
    #expect(report.isClean, "\(report)")
  }
}
