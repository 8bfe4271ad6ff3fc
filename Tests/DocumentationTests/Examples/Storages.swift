import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import Testing

@Suite struct StorageExamples {
  struct NotesV1: Codable, Equatable { var text: String }
  struct NotesV2: Codable, Equatable { var lines: [String] }
  struct NotesV3: Codable, Equatable { var lines: [String], title: String }

  struct State: Equatable, Sendable {
    var notes = Saving([String]())
  }

  private let path = FileManager.default.temporaryDirectory.path + "/millrace-\(UUID().uuidString)"

  struct Notes: Equatable { var lines: [String] = [] }

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
}
