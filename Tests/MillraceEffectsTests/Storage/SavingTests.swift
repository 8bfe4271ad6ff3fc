import MillraceEffects
import Testing

@Suite struct SavingTests {
  @Test("a change asks for a save; what is no change does not")
  func change() {
    var notes = Saving(["a"])
    #expect(notes.wanted == nil)
    notes.save { $0 = ["a"] }
    #expect(notes.wanted == nil)
    notes.save { $0.append("b") }
    #expect(notes.wanted == SaveRequest(value: ["a", "b"], generation: 1))
    notes.received(.saved(generation: 1))
    #expect(notes.isSaved && notes.wanted == nil)
  }

  @Test("a save of an older value does not count for the newer one")
  func outdated() {
    var notes = Saving(0)
    notes.save { $0 = 1 }
    notes.save { $0 = 2 }
    notes.received(.saved(generation: 1))
    #expect(notes.savedGeneration == 1)
    #expect(notes.wanted == SaveRequest(value: 2, generation: 2))
    notes.received(.failed(.diskFull("x"), generation: 1, attempt: 1))
    #expect(notes.failure == nil)
  }

  @Test("a failed save is not asked for again until it is retried or the value changes")
  func failed() {
    var notes = Saving(0)
    notes.save { $0 = 1 }
    notes.received(.failed(.diskFull("x"), generation: 1, attempt: 1))
    #expect(notes.wanted == nil && !notes.isSaved)
    #expect(notes.failure == .diskFull("x"))
    notes.retry()
    #expect(notes.wanted == SaveRequest(value: 1, generation: 1, attempt: 2))
    notes.received(.failed(.diskFull("x"), generation: 1, attempt: 1))
    #expect(notes.wanted != nil)
    notes.received(.failed(.diskFull("y"), generation: 1, attempt: 2))
    notes.save { $0 = 2 }
    #expect(notes.wanted == SaveRequest(value: 2, generation: 2))
  }

  @Test("numbers go on where the stored value left off")
  func loaded() {
    var notes = Saving(StoredValue(value: 7, generation: 41, source: .current), or: 0)
    #expect(notes.value == 7 && notes.isSaved)
    notes.save { $0 = 8 }
    #expect(notes.generation == 42)
    #expect(Saving(StoredValue<Int>(), or: 5).value == 5)
  }
}
