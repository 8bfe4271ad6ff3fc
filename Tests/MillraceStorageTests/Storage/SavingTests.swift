import MillraceStorage
import Testing

@Suite struct SavingTests {
  @Test("a change asks for a save; what is no change does not")
  func change() {
    var notes = Saving(StoredValue(), or: ["a"])
    #expect(notes.wanted == nil)
    notes.save { $0 = ["a"] }
    #expect(notes.wanted == nil)
    notes.save { $0.append("b") }
    #expect(notes.wanted == SaveRequest(value: ["a", "b"], generation: 1))
    notes.reduce(.saved(generation: 1))
    #expect(notes.isSaved && notes.wanted == nil)
  }

  @Test("a save of an older value does not count for the newer one")
  func outdated() {
    var notes = Saving(StoredValue(), or: 0)
    notes.save { $0 = 1 }
    notes.save { $0 = 2 }
    notes.reduce(.saved(generation: 1))
    #expect(notes.savedGeneration == 1)
    #expect(notes.wanted == SaveRequest(value: 2, generation: 2))
    notes.reduce(.failed(.diskFull("x"), generation: 1, attempt: 1))
    #expect(notes.failure == nil)
  }

  @Test("a failed save is not asked for again until it is retried or the value changes")
  func failed() {
    var notes = Saving(StoredValue(), or: 0)
    notes.save { $0 = 1 }
    notes.reduce(.failed(.diskFull("x"), generation: 1, attempt: 1))
    #expect(notes.wanted == nil && !notes.isSaved)
    #expect(notes.failure == .diskFull("x"))
    notes.retry()
    #expect(notes.wanted == SaveRequest(value: 1, generation: 1, attempt: 2))
    notes.reduce(.failed(.diskFull("x"), generation: 1, attempt: 1))
    #expect(notes.wanted != nil)
    notes.reduce(.failed(.diskFull("y"), generation: 1, attempt: 2))
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

  @Test("nothing is saved before it is known what is stored")
  func notLoaded() {
    var notes = Saving(["draft"])
    #expect(!notes.isLoaded)
    notes.save { $0.append("milk") }
    #expect(notes.wanted == nil && !notes.isSaved)
    notes.retry()
    #expect(notes.wanted == nil)
  }

  @Test("what was stored takes the place of a value that nobody has changed")
  func loadedUnchanged() {
    var notes = Saving(["draft"])
    notes.loaded(StoredValue(value: ["a"], generation: 7, source: .current)) { _, _ in
      Issue.record("merged")
      return []
    }
    #expect(notes.value == ["a"] && notes.isSaved && notes.generation == 7 && notes.isLoaded)
  }

  @Test("a value that was changed before it was loaded is merged with the stored one, and saved")
  func merged() {
    var notes = Saving(["draft"])
    notes.save { $0 = ["b"] }
    notes.loaded(StoredValue(value: ["a"], generation: 7, source: .current)) { $0 + $1 }
    #expect(notes.wanted == SaveRequest(value: ["a", "b"], generation: 8))
    notes.loaded(StoredValue(value: ["z"], generation: 9, source: .current)) { $0 + $1 }
    #expect(notes.value == ["a", "b"], "it is loaded once")
  }

  @Test("a merge that gives the stored value asks for no save")
  func mergedToStored() {
    var notes = Saving(["draft"])
    notes.save { $0 = ["b"] }
    notes.loaded(StoredValue(value: ["a"], generation: 7, source: .current)) { stored, _ in stored }
    #expect(notes.value == ["a"] && notes.isSaved && notes.generation == 7)
  }

  @Test("where nothing is stored, the value stays and is saved if it was changed", arguments: [true, false])
  func loadedNothing(isChanged: Bool) {
    var notes = Saving(["draft"])
    if isChanged { notes.save { $0.append("b") } }
    notes.loaded(StoredValue()) { $0 + $1 }
    #expect(notes.value == (isChanged ? ["draft", "b"] : ["draft"]))
    #expect(notes.wanted == (isChanged ? SaveRequest(value: ["draft", "b"], generation: 1) : nil))
  }

  @Test("a file that somebody has changed since is loaded again before anything is saved")
  func changedByOthers() {
    var notes = Saving(StoredValue(value: ["a"], generation: 3, source: .current), or: [])
    notes.save { $0.append("b") }
    notes.reduce(.failed(.notLoaded("x"), generation: 4, attempt: 1))
    #expect(notes.failure == .notLoaded("x") && !notes.isLoaded)
    notes.retry()
    #expect(notes.wanted == nil)
    notes.loaded(StoredValue(value: ["c"], generation: 9, source: .current)) { $0 + $1 }
    #expect(notes.wanted == SaveRequest(value: ["c", "a", "b"], generation: 10))
  }
}
