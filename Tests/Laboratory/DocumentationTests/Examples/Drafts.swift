import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTesting
import Testing

/// A draft that is shown as it is typed, saved, posted once it is saved, and taken back if the server refuses it.
enum Draft {
  // DurableFirst
  struct Edit: Hashable, Codable, Sendable {
    var number = 0
    var text = ""
  }

  struct Content: Equatable, Codable, Sendable {
    /// What the user sees.
    var shown = Edit()
    /// What the server is known to have.
    var confirmed = Edit()
    var notice: String?
  }

  struct State: Equatable, Sendable {
    var loading: LoadRequest? = LoadRequest()
    var draft = Saving(Content())
    var problem: String?
  }

  enum Action: Equatable, Sendable {
    case typed(String)
    case posted(Edit)
    case refused(Edit, Refusal)
    case loading(LoadEvent<Content>)
    case storage(StorageEvent)
  }

  struct Refusal: Error, Equatable {
    var reason: String
    /// What the server has.
    var current: String
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    // DurableFirst
    case .typed(let text):
      state.draft.save { draft in
        draft.shown = Edit(number: draft.shown.number + 1, text: text)
        draft.notice = nil
      }
    case .posted(let edit): state.draft.save { $0.confirmed = edit }
    case .refused(let edit, let refusal):
      state.draft.save { draft in
        draft.confirmed = Edit(number: edit.number, text: refusal.current)
        draft.shown = draft.confirmed
        draft.notice = refusal.reason
      }
    case .storage(let event): state.draft.reduce(event)
    // DurableFirst
    case .loading(.loaded(let stored)):
      state.loading = nil
      state.draft.loaded(stored) { stored, typed in
        var merged = stored
        merged.shown = Edit(number: stored.shown.number + 1, text: typed.shown.text)
        return merged
      }
    case .loading(.failed(let failure, of: _)): state.problem = "\(failure)"
    }
  }

  // DurableFirst
  struct PostEffect: EffectComponent {
    let post: @Sendable (Edit) async throws(Refusal) -> Void

    func id(of edit: Edit) -> Int { 0 }  // a newer edit replaces the older one

    func requests(in draft: Content) -> Set<Edit> {
      draft.shown.number == draft.confirmed.number ? [] : [draft.shown]
    }

    func run(_ edit: Edit, send: Send<Action>) async throws(Refusal) {
      try await post(edit)
      await send(.posted(edit))
    }

    func action(for refusal: Refusal, of edit: Edit) -> Action { .refused(edit, refusal) }
  }

  // DurableFirst
  static func connect(
    to store: Store<State, Action>, storage: FileStorage<Content>,
    post: @escaping @Sendable (Edit) async throws(Refusal) -> Void
  ) {
    store.connect(LoadEffect(storage), to: \.loading, action: Action.loading)
    store.connect(StorageEffect(storage), to: \.draft, action: Action.storage)
    store.connect(PostEffect(post: post).whenSaved(), to: \.draft)
  }
}

@Suite struct DraftExamples {
  private let path = FileManager.default.temporaryDirectory.path + "/millrace-draft-\(UUID().uuidString)"

  @Test("an edit that was on its way when a program ended is posted by the next one")
  func twoLives() async throws {
    let (server, gate) = (Recorder<Draft.Edit>(), Gate())
    func life() -> (store: Store<Draft.State, Draft.Action>, storage: FileStorage<Draft.Content>) {
      let storage = FileStorage<Draft.Content>(at: path)
      let store = Store(initialState: Draft.State(), reduce: Draft.reduce)
      Draft.connect(to: store, storage: storage) { edit in
        server.append(edit)
        try? await gate.wait()
      }
      return (store, storage)
    }
    let first = life()
    _ = await first.store.first { $0.loading == nil }
    first.store.dispatch(.typed("milk"))
    try await gate.waiters(atLeast: 1)
    #expect(first.store.state.draft.isSaved)
    await first.store.shutdown()
    await first.storage.close()
    gate.open()

    let second = life()
    await second.store.settled()
    let milk = Draft.Edit(number: 1, text: "milk")
    #expect(server.values == [milk, milk])
    #expect(second.store.state.draft.stored?.confirmed == milk)
    await second.store.shutdown()
    try await second.storage.remove()
  }
}
