import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

@Suite struct StorageExamples {
  struct NotesV1: Codable, Equatable { var text: String }
  struct NotesV2: Codable, Equatable { var lines: [String] }
  struct NotesV3: Codable, Equatable { var lines: [String], title: String }

  struct State: Equatable, Sendable {
    var notes = Saving([String]())
  }

  private let path = FileManager.default.temporaryDirectory.path + "/millrace-\(UUID().uuidString)"

  struct Notes: Codable, Equatable { var lines: [String] = [] }

  @Test("a value counts its changes")
  func saving() {
    let stored = StoredValue<Notes>()
    let event = StorageEvent.saved(generation: 1)
    // Saving
    var notes = Saving(Notes())  // not loaded yet, so nothing is saved
    notes.loaded(stored) { stored, changed in Notes(lines: stored.lines + changed.lines) }
    notes.save { $0.lines.append("milk") }  // in the reducer: changes the value and asks for a save
    notes.reduce(event)  // in the reducer: applies an event of the effect
    #expect(notes.isSaved)
  }

  @Test("a format goes on from version to version")
  func migrating() async throws {
    let old = FileStorage<NotesV1>(at: path)
    try await old.save(NotesV1(text: "milk"), generation: 1)
    await old.close()
    // StorageFormat
    let format = StorageFormat<NotesV1>.json()
      .migrating(to: NotesV2.self) { old in NotesV2(lines: [old.text]) }
      .migrating(to: NotesV3.self) { old in NotesV3(lines: old.lines, title: old.lines.first ?? "") }
    let storage = FileStorage(at: path, format: format)
    #expect(try await storage.load().value == NotesV3(lines: ["milk"], title: "milk"))
    try await storage.remove()
  }

  @Test("a shutdown is followed by a flush")
  func flushing() async throws {
    let storage = FileStorage<[String]>(at: path)
    let store = Store(initialState: State()) { (state: inout State, _: Void) in
      state.notes.save { $0.append("milk") }
    }
    store.dispatch(())
    // FileStorage
    await store.shutdown()
    try await storage.flush(store.state.notes)
    await storage.close()
    #expect(try await storage.load().value == ["milk"])
    try await storage.remove()
  }

  struct Account: Equatable, Sendable {
    var loading: LoadRequest? = LoadRequest()
    var notes = Saving(Notes())
    var isSignedIn = true
    /// The number of the attempt to delete what is stored.
    var deletion: Int?
    var problem: String?
  }

  enum AccountAction: Sendable {
    case written(String)
    case signedOut
    case signedIn
    case deleted
    case notDeleted(StorageFailure)
    case loading(LoadEvent<Notes>)
    case saving(StorageEvent)
  }

  static func reduceAccount(_ state: inout Account, _ action: AccountAction) {
    switch action {
    // SavingAndLoading, deletion
    case .signedOut:
      state = Account(loading: nil, isSignedIn: false, deletion: 1)  // asks for no save any more
    case .deleted: state.deletion = nil
    case .notDeleted(let failure): state.problem = "\(failure)"
    case .signedIn:
      state.isSignedIn = true
      state.loading = LoadRequest()
    // SavingAndLoading, the end of deletion
    case .written(let line): state.notes.save { $0.lines.append(line) }
    case .loading(.loaded(let stored)):
      state.loading = nil
      state.notes.loaded(stored) { stored, changed in Notes(lines: stored.lines + changed.lines) }
    case .loading(.failed(let failure, of: _)): state.problem = "\(failure)"
    case .saving(let event): state.notes.reduce(event)
    }
  }

  @Test("who signs out leaves nothing on disk, whatever is being saved")
  func signingOut() async throws {
    let storage = FileStorage<Notes>(at: path)
    let store = Store(initialState: Account(), reduce: Self.reduceAccount)
    store.connect(LoadEffect(storage), to: \.loading, action: AccountAction.loading)
    store.connect(StorageEffect(storage), to: \.notes, action: AccountAction.saving)
    // SavingAndLoading, deletion, the effect
    store.connect(when: \.deletion) { _, send in
      do throws(StorageFailure) {
        try await storage.remove()
        await send(.deleted)
      } catch {
        await send(.notDeleted(error))
      }
    }
    for round in 0..<20 {
      store.dispatch(.written("secret"))
      if round.isMultiple(of: 2) { await store.settled() }
      store.dispatch(.written("another"))
      store.dispatch(.signedOut)
      await store.settled()
      #expect(store.state == Account(loading: nil, isSignedIn: false))
      #expect(!FileManager.default.fileExists(atPath: path))
      store.dispatch(.signedIn)
      await store.settled()
      #expect(store.state.notes.isLoaded && store.state.notes.value == Notes())
    }
    store.dispatch(.written("mine"))
    await store.settled()
    #expect(try await storage.load().value == Notes(lines: ["mine"]))
    try await storage.remove()
  }
}

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

@Suite("What is on disk is confirmed") struct RegisterExamples {
  // DurableFirst
  struct Register: Equatable, Sendable {
    var lines = Saving([String]())
    /// The lines that were entered and not confirmed, each with its number.
    var entered: [UInt64: String] = [:]

    mutating func enter(_ line: String) {
      lines.save { $0.append(line) }
      entered[lines.generation] = line
    }

    /// The lines that are on disk, to be confirmed.
    var confirmable: [String] {
      entered.filter { $0.key <= lines.savedGeneration }.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  @Test("a line that is entered during a save is confirmed by the next one")
  func duringASave() throws {
    var register = Register()
    register.lines = Saving(StoredValue(value: [], generation: 1, source: .current), or: [])
    register.enter("milk")
    let first = try #require(register.lines.wanted?.generation)
    register.lines.reduce(.began(generation: first))
    register.enter("tea")
    #expect(register.confirmable.isEmpty)
    // As the page warns: what is asked for is the save that has begun.
    #expect(register.lines.wanted?.generation == first)
    register.lines.reduce(.saved(generation: first))
    #expect(register.confirmable == ["milk"])
    let second = try #require(register.lines.wanted?.generation)
    register.lines.reduce(.began(generation: second))
    register.lines.reduce(.saved(generation: second))
    #expect(register.confirmable == ["milk", "tea"])
  }
}
