import Millrace
import MillraceEffects
import MillraceTestStore
import MillraceTesting
import Testing

/// A text that is saved once nobody has typed for a second: one save at a time, and what was typed during a save is saved
/// after it.
private enum Draft {
  struct Full: Error, Equatable {}

  struct State: Equatable, Sendable {
    var text = ""
    var saved = ""
    var attempt = 0
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    case typed(String)
    case saved(String)
    case failed
    case retried
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .typed(let text): state.text = text
    case .saved(let text): (state.saved, state.problem) = (text, nil)
    case .failed: state.problem = "the disk is full"
    case .retried: (state.attempt, state.problem) = (state.attempt + 1, nil)
    }
  }

  struct Save: EffectComponent {
    struct Request: Hashable { var text: String, attempt = 0 }
    let disk: @Sendable (String) async throws(Full) -> Void
    func id(of request: Request) -> String { "draft" }
    func requests(in state: State) -> Set<Request> {
      state.text == state.saved ? [] : [Request(text: state.text, attempt: state.attempt)]
    }
    func run(_ request: Request, send: Send<Action>) async throws(Full) {
      try await disk(request.text)
      await send(.saved(request.text))
    }
    func action(for failure: Full, of request: Request) -> Action { .failed }
  }
}

/// A disk that a test holds up and fills.
private final class SlowDisk: Sendable {
  let gate = Gate()
  let texts = Recorder<String>()
  private let fullAt: Int
  init(fullAt: Int) { self.fullAt = fullAt }

  @Sendable func write(_ text: String) async throws(Draft.Full) {
    texts.append(text)
    await gate.waitIgnoringCancellation()
    if texts.count == fullAt { throw Draft.Full() }
  }
}

extension FeatureTests {
  @Test("a text is saved when nobody types, one save at a time, and again after a failure") func saving()
    async
  {
    let (clock, disk) = (TestClock(), SlowDisk(fullAt: 2))
    let save = Draft.Save(disk: disk.write).debounced(for: .seconds(1), clock: clock)
    let store = TestStore(initialState: .init(), serving: .bodies, reduce: Draft.reduce) { $0.connect(save) }
    store.send(.typed("a")) { $0.text = "a" }
    await store.advance(clock, by: .milliseconds(999))
    store.send(.typed("ab")) { $0.text = "ab" }
    store.expect(stopped: Draft.Save.Request(text: "a"))
    await store.advance(clock, by: .seconds(1))
    #expect(disk.texts.values == ["ab"])
    disk.gate.pass()
    await store.receive(.saved("ab")) { $0.saved = "ab" }
    store.send(.typed("abc")) { $0.text = "abc" }
    await store.advance(clock, by: .seconds(1))
    disk.gate.pass()
    await store.receive(.failed) { $0.problem = "the disk is full" }
    store.send(.retried) { ($0.attempt, $0.problem) = (1, nil) }
    await store.advance(clock, by: .seconds(1))
    disk.gate.pass()
    await store.receive(.saved("abc")) { $0.saved = "abc" }
    await store.finish()
    #expect(disk.texts.values == ["ab", "abc", "abc"])
  }

  @Test("saving in a plain store") func savingBefore() async throws {
    let (clock, disk) = (TestClock(), SlowDisk(fullAt: 2))
    let save = Draft.Save(disk: disk.write).debounced(for: .seconds(1), clock: clock)
    let store = Store(initialState: Draft.State(), on: .immediate, reduce: Draft.reduce)
    store.connect(save)
    store.dispatch(.typed("a"))
    #expect(store.state == Draft.State(text: "a"))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(999))
    store.dispatch(.typed("ab"))
    #expect(store.state == Draft.State(text: "ab"))
    try await clock.sleepers(atLeast: 1)
    #expect(disk.texts.values == [])
    clock.advance(by: .seconds(1))
    try await disk.gate.waiters(atLeast: 1)
    #expect(disk.texts.values == ["ab"])
    disk.gate.pass()
    await store.settled()
    #expect(store.state == Draft.State(text: "ab", saved: "ab"))
    store.dispatch(.typed("abc"))
    #expect(store.state == Draft.State(text: "abc", saved: "ab"))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    try await disk.gate.waiters(atLeast: 1)
    disk.gate.pass()
    await store.settled()
    #expect(store.state == Draft.State(text: "abc", saved: "ab", problem: "the disk is full"))
    store.dispatch(.retried)
    #expect(store.state == Draft.State(text: "abc", saved: "ab", attempt: 1))
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    try await disk.gate.waiters(atLeast: 1)
    disk.gate.pass()
    await store.settled()
    #expect(store.state == Draft.State(text: "abc", saved: "abc", attempt: 1))
    #expect(disk.texts.values == ["ab", "abc", "abc"])
    #expect(store.activity.reduced == 7)
    #expect(await store.shutdown().isClean)
  }
}
