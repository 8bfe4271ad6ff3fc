import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

@Suite struct AutosaveExamples {
  // SavingAndLoading, many changes
  struct Draft: Codable, Equatable, Sendable {
    var text = ""
    var isAwaited = false  // whether somebody waits for the save; not in the file
    private enum CodingKeys: CodingKey { case text }
  }

  struct Editor: Equatable, Sendable {
    var draft = Saving(StoredValue(), or: Draft())
  }

  enum EditorAction: Equatable, Sendable {
    case typed(String)
    case saveTapped
    case storage(StorageEvent)
  }

  static func reduce(_ state: inout Editor, _ action: EditorAction) {
    switch action {
    // SavingAndLoading, many changes
    case .typed(let text): state.draft.save { $0 = Draft(text: text) }
    case .saveTapped: state.draft.save { $0.isAwaited = true }
    case .storage(let event): state.draft.reduce(event)
    }
  }

  @Test("many changes are one save, and a save that somebody waits for is made at once")
  func autosave() async throws {
    let folder = try TemporaryFolder()
    let storage = FileStorage<Draft>(at: folder.file("draft"))
    let clock = TestClock()
    let store = TestStore(initialState: Editor(), serving: .bodies, reduce: Self.reduce) { store in
      // SavingAndLoading, many changes
      let saves = StorageEffect(storage).debounced(
        for: { save in save.value.isAwaited ? .zero : .seconds(2) }, atMost: .seconds(30), clock: clock)
      store.connect(saves, to: \.draft, action: EditorAction.storage)
    }
    store.send(.typed("mi")) { $0.draft.save { $0.text = "mi" } }
    store.send(.typed("milk")) { $0.draft.save { $0.text = "milk" } }
    await store.advance(clock, by: .seconds(2))
    await store.receive(.storage(.began(generation: 2))) { $0.draft.reduce(.began(generation: 2)) }
    await store.receive(.storage(.saved(generation: 2))) { $0.draft.reduce(.saved(generation: 2)) }
    store.send(.typed("milk, tea")) { $0.draft.save { $0.text = "milk, tea" } }
    store.send(.saveTapped) { $0.draft.save { $0.isAwaited = true } }
    await store.receive(.storage(.began(generation: 4))) { $0.draft.reduce(.began(generation: 4)) }
    await store.receive(.storage(.saved(generation: 4))) { $0.draft.reduce(.saved(generation: 4)) }
    await store.finish()
    #expect(try await storage.load().value == Draft(text: "milk, tea"))
    await storage.close()
  }
}
