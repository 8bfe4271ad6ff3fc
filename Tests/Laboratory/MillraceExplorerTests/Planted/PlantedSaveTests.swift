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

  // MARK: Titles

  /// A title that is shown at once, and taken back where it could not be saved.
  enum Title {
    struct Save: Hashable, Sendable {
      var title: Int
      var before: Int
    }

    struct State: Hashable, Sendable {
      var title = 0
      var saved = 0
      var saves: [Save] = []
      /// What the user has typed last, and which titles were refused.
      var typed = 0
      var refused: Set<Int> = []
    }

    enum Action: Hashable, Sendable {
      case typed(Int)
      case saved(Save)
      case again
      case failed(Save)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .typed(let title):
          state.saves.append(Save(title: title, before: state.title))
          (state.title, state.typed) = (title, title)
        case .saved(let save):
          state.saves.removeAll { $0 == save }
          state.saved = save.title
        case .again: break
        case .failed(let save):
          state.saves.removeAll { $0 == save }
          state.refused.insert(save.title)
          if !isRight {
            state.title = save.before
          } else if state.title == save.title {
            state.title = state.saved
          }
        }
      } connect: { store in
        store.connect(
          fallible(Save.self) { .failed($0) }
            .retried(times: 1, by: Backoff(jitter: 0), action: { _, _ in .again }).inSequence(),
          when: { Set($0.saves) }, named: "save")
      }
      .userActions { $0.typed < 2 ? [.typed($0.typed + 1)] : [] }
      .outcomes(of: Save.self) { [.answers(.saved($0)), .fails(Offline())] }
      .always("a title stays unless it was refused") { $0.title == $0.typed || $0.refused.contains($0.typed) }
    }
  }

  @Test("rollback over a newer edit: a title that was typed since", arguments: [false, true])
  func titleIsTakenBack(isRight: Bool) async throws {
    try await Title.explorer(isRight).check(isRight, moves: 5)
  }

  // MARK: Debounces

  /// A search that waits for the user to rest.
  enum Search {
    struct State: Hashable, Sendable {
      var query = ""
      var results = ""
    }

    enum Action: Hashable, Sendable {
      case typed(String)
      case arrived(String)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .typed(let query): state.query = query
        case .arrived(let results): state.results = results
        }
      } connect: { store in
        let search = infallible(String.self, sending: Action.self).debounced(for: .milliseconds(300))
        let query = { @Sendable (state: State) in state.query.isEmpty ? nil : state.query }
        if isRight {
          store.connect(search, when: query, named: "search")
        } else {
          store.connect(search.ignoringWhileRunning(), when: query, named: "search")
        }
      }
      .userActions { _ in [.typed("a"), .typed("ab")] }
      .outcomes(of: String.self) { [.answers(.arrived($0))] }
      .always("at rest, the results are those of the query") { state, running in
        !running.isEmpty || state.results == state.query
      }
    }
  }

  @Test(
    "debounce that drops the last: letters are ignored while the first one waits", arguments: [false, true])
  func ignoredLetters(isRight: Bool) async throws {
    try await Search.explorer(isRight).check(isRight, moves: 4)
  }

  /// A note that is saved when the user rests. The wrong request says that a save is wanted, and not of which text.
  enum Note {
    struct State: Hashable, Sendable {
      var text = 0
      var isEdited = false
      var reading = 0
      var onDisk = 0
    }

    enum Action: Hashable, Sendable {
      case typed(Int)
      case reading(Int)
      case saved
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .typed(let text): (state.text, state.isEdited) = (text, true)
        case .reading(let text): state.reading = text
        case .saved: (state.onDisk, state.isEdited) = (state.reading, false)
        }
      } connect: { store in
        store.connect(
          infallible(Int.self, sending: Action.self).debounced(for: .seconds(1), atMost: .seconds(5)),
          when: { $0.isEdited ? isRight ? $0.text : 0 : nil }, named: "save")
      }
      .userActions { $0.text < 3 ? [.typed($0.text + 1)] : [] }
      .outcomes(of: Int.self) { _, run in
        run.sent.isEmpty ? [.sends(.reading(run.state.text))] : [.answers(.saved)]
      }
      .always("at rest, the text is on the disk") { state, running in
        !running.isEmpty || state.onDisk == state.text
      }
    }
  }

  @Test("debounce that drops the last: a save that does not know its text", arguments: [false, true])
  func saveWithoutItsText(isRight: Bool) async throws {
    try await Note.explorer(isRight).check(isRight, moves: 5)
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
