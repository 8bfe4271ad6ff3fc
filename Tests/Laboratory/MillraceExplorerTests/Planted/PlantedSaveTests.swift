import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceStorage
import MillraceTesting
import Testing

/// Bugs of features that keep what the user edits somewhere else.
@Suite struct PlantedSaveTests {
  // MARK: Hand-over

  struct Fader: Identifiable, Hashable, Sendable {
    let id: Int
    var volume = 0
    var applied = 0
    /// What the last answer was about.
    var onDevice = 0
    /// The volume to which the user has slid it last, and which one was refused last.
    var wanted = 0
    var refused: Int?
  }

  enum FaderAction: Hashable, Sendable {
    case slid(Int)
    case applied(Int)
    case again
    case refused(Int)
  }

  struct VolumeEffect: HandoverEffectComponent {
    typealias Action = FaderAction
    func id(of volume: Int) -> String { "volume" }
    func requests(in fader: Fader) -> Set<Int> {
      [fader.applied, fader.refused].contains(fader.volume) ? [] : [fader.volume]
    }
    func run(following volumes: RequestUpdates<Int>, send: Send<Action>) async throws(Offline) {}
    func action(for failure: Offline, of volume: Int) -> Action { .refused(volume) }
  }

  /// A mixer of two faders, whose reducer of one is given.
  static func mixer(
    _ reduce: @escaping @Sendable (inout Fader, FaderAction) -> Void
  ) -> Explorer<KeyedArray<Fader>, FaderEvent> {
    Explorer(initialState: [Fader(id: 1), Fader(id: 2)]) { faders, event in
      faders.mutate(id: event.id) { reduce(&$0, event.action) }
    } connect: { store in
      store.connectEach(\.self, action: { FaderEvent(id: $0, action: $1) }) { _, fader in
        fader.connect(
          VolumeEffect().retried(times: 1, by: Backoff(jitter: 0), action: { _, _ in .again }),
          named: "volume")
      }
    }
    .userActions { faders in
      faders.filter { $0.id == 1 && $0.volume < 2 }
        .map { FaderEvent(id: $0.id, action: .slid($0.volume + 1)) }
    }
  }

  struct FaderEvent: Hashable, Sendable {
    var id: Int
    var action: FaderAction
  }

  @Test("lost update on hand-over: an answer counts for the newest volume", arguments: [false, true])
  func volumeOfAnotherAnswer(isRight: Bool) async throws {
    let explorer = Self.mixer { fader, action in
      switch action {
      case .slid(let volume): (fader.volume, fader.wanted) = (volume, volume)
      case .applied(let volume): (fader.applied, fader.onDevice) = (isRight ? volume : fader.volume, volume)
      case .again: break
      case .refused(let volume): fader.refused = volume
      }
    }
    .outcomes(of: Int.self, sending: FaderAction.self) { [.answers(.applied($0)), .fails(Offline())] }
    .always("what is applied is on the device") { $0.allSatisfy { $0.applied == $0.onDevice } }
    // swift-format-ignore
    try await explorer.check(isRight, moves: 3) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      store.send(PlantedSaveTests.FaderEvent(id: 1, action: .slid(1)))
      store.send(PlantedSaveTests.FaderEvent(id: 1, action: .slid(2)))
      if store.inProgress(in: 1).contains(2) { store.answer(1, in: 1, with: PlantedSaveTests.FaderAction.applied(1)) }
      let holds: (KeyedArray<PlantedSaveTests.Fader>) -> Bool = { $0.allSatisfy { $0.applied == $0.onDevice } }
      #expect(holds(store.state))
      await store.finish()
    }
  }

  @Test("rollback over a newer edit: a refused volume takes back the one after it", arguments: [false, true])
  func volumeOfAnotherRefusal(isRight: Bool) async throws {
    let explorer = Self.mixer { fader, action in
      switch action {
      case .slid(let volume): (fader.volume, fader.wanted) = (volume, volume)
      case .applied(let volume): fader.applied = volume
      case .again: break
      case .refused(let volume):
        fader.refused = volume
        if !isRight || volume == fader.volume { fader.volume = fader.applied }
      }
    }
    .outcomes(of: Int.self, sending: FaderAction.self) { [.answers(.applied($0)), .fails(Offline())] }
    .always("a fader stays unless its volume was refused") { faders in
      faders.allSatisfy { [$0.volume, $0.refused].contains($0.wanted) }
    }
    try await explorer.check(isRight, moves: 5)
  }

  // MARK: Order of saving and sending

  /// A mail that is sent while its draft is still being saved.
  enum Mail {
    struct Draft: Codable, Hashable, Sendable {
      var text = 0
      var sent = 0
    }

    struct Post: Hashable, Sendable { var text: Int }

    struct PostEffect: EffectComponent {
      typealias Action = Mail.Action
      func requests(in draft: Draft) -> Set<Post> {
        draft.text == draft.sent ? [] : [Post(text: draft.text)]
      }
      func run(_ post: Post, send: Send<Action>) async {}
    }

    struct State: Hashable, Sendable {
      var draft = Saving(StoredValue(value: nil, generation: 0), or: Draft())
    }

    enum Action: Hashable, Sendable {
      case typed
      case sent(Post)
      case storage(StorageEvent)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .typed: state.draft.save { $0.text += 1 }
        case .sent(let post): state.draft.save { $0.sent = post.text }
        case .storage(let event): state.draft.reduce(event)
        }
      } connect: { store in
        let storage = FileStorage<Draft>(at: "/nowhere")
        store.connect(
          StorageEffect(storage).debounced(for: .seconds(1)), to: \.draft, action: Action.storage,
          named: "storage")
        if isRight {
          store.connect(PostEffect().whenSaved(), to: \.draft, named: "post")
        } else {
          store.connect(PostEffect(), to: \.draft.value, named: "post")
        }
      }
      .userActions { $0.draft.value.text < 2 ? [.typed] : [] }
      .outcomes(of: Post.self) { [.answers(.sent($0))] }
      .outcomes(of: SaveRequest<Draft>.self, sending: StorageEvent.self) { save in
        [.sends(.began(generation: save.generation)).then(.answers(.saved(generation: save.generation)))]
      }
      .always("what is sent is on the disk") { state, running in
        running.requests(of: Mail.Post.self).allSatisfy { $0.text == state.draft.stored?.text }
      }
    }
  }

  @Test("sent before saved: a mail whose draft is not on the disk", arguments: [false, true])
  func sentBeforeSaved(isRight: Bool) async throws {
    let explorer = Mail.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 1) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      store.send(.typed)
      let holds: (PlantedSaveTests.Mail.State, RunningRequests) -> Bool = { state, running in
        running.requests(of: Mail.Post.self).allSatisfy { $0.text == state.draft.stored?.text }
      }
      #expect(holds(store.state, store.inProgress()))
      await store.finish()
    }
  }
}
