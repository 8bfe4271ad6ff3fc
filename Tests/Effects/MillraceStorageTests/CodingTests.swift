import Foundation
import MillraceStorage
import Testing

@Suite("States and events of storage can be recorded")
struct CodingTests {
  private func decoded<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test("events of loading and saving, and the key of a ledger, can be recorded") func events() throws {
    let loads: [LoadEvent<[String]>] = [.failed(.locked("a"), of: LoadRequest(attempt: 2))]
    #expect(try decoded(loads) == loads)
    let saves: [StorageEvent] = [.saved(generation: 3), .failed(.diskFull("b"), generation: 4, attempt: 1)]
    #expect(try decoded(saves) == saves)
    let key: LedgerKey = "p-1"
    #expect(try decoded(key) == key)
  }

  @Test("a value that is saved in part, and one whose save has failed") func saving() throws {
    var saving = Saving(StoredValue<[String]>(value: ["a"], generation: 3), or: [])
    saving.save { $0.append("b") }
    saving.reduce(.began(generation: 4))
    saving.save { $0.append("c") }
    #expect(try decoded(saving) == saving)
    saving.reduce(.failed(.diskFull("x"), generation: 4, attempt: 1))
    let copy = try decoded(saving)
    #expect(copy == saving)
    #expect(copy.stored == ["a"] && copy.value == ["a", "b", "c"])
  }

  @Test("a journal with unsaved changes, of which some are being appended") func journaling() throws {
    var journal = Journaling<String, Int>()
    journal.reduce(.loaded(StoredEntries(entries: ["a": 1])))
    journal["a"] = 2
    journal["b"] = 3
    journal["a"] = nil
    let copy = try decoded(journal)
    #expect(copy == journal)
    #expect(copy.entries == ["b": 3] && copy.backlog.changes.count == 2 && !copy.isSaved)
  }

  @Test("interrupted work, and what was decided about it") func interruptions() throws {
    var interruptions = Interruptions<String>(undecided: ["p-1": "pay", "p-2": "post"], isKnown: true)
    interruptions.giveUp("p-1")
    #expect(try decoded(interruptions) == interruptions)
  }
}
