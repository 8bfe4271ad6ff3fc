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

  @Test("the value on disk is known although the value has changed while it was written")
  func stored() {
    var notes = Saving(StoredValue(), or: 0)
    #expect(notes.stored == nil)
    notes.save { $0 = 1 }
    notes.reduce(.began(generation: 1))
    notes.save { $0 = 2 }
    #expect(notes.wanted == SaveRequest(value: 1, generation: 1), "the save that has begun is not replaced")
    notes.reduce(.saved(generation: 1))
    #expect(notes.stored == 1)
    #expect(notes.wanted == SaveRequest(value: 2, generation: 2))
    notes.reduce(.saved(generation: 2))
    #expect(notes.stored == 2 && notes.isSaved)
  }

  @Test("where values come faster than saves begin, every second save tells what is on disk")
  func overtaken() {
    var notes = Saving(StoredValue(), or: 0)
    notes.save { $0 = 1 }
    notes.save { $0 = 2 }
    notes.reduce(.began(generation: 1))
    notes.save { $0 = 3 }
    notes.reduce(.saved(generation: 1))
    #expect(notes.stored == nil && notes.savedGeneration == 1)
    #expect(notes.wanted == SaveRequest(value: 2, generation: 2))
    notes.reduce(.began(generation: 2))
    notes.save { $0 = 4 }
    notes.reduce(.saved(generation: 2))
    #expect(notes.stored == 2)
    #expect(notes.wanted == SaveRequest(value: 4, generation: 4))
  }

  @Test("a failed save leaves what is known to be on disk, and the newest value is saved next")
  func failedWhileWritten() {
    var notes = Saving(StoredValue(value: 7, generation: 3, source: .current), or: 0)
    #expect(notes.stored == 7)
    notes.save { $0 = 8 }
    notes.reduce(.began(generation: 4))
    notes.save { $0 = 9 }
    notes.reduce(.failed(.diskFull("x"), generation: 4, attempt: 1))
    #expect(notes.stored == 7 && notes.failure == nil)
    #expect(notes.wanted == SaveRequest(value: 9, generation: 5))
  }

  @Test("of a value that was merged with a loaded one, only the loaded one is on disk")
  func storedBesideMerged() {
    var notes = Saving(["draft"])
    notes.save { $0 = ["b"] }
    #expect(notes.stored == nil)
    notes.loaded(StoredValue(value: ["a"], generation: 7, source: .current)) { $0 + $1 }
    #expect(notes.stored == ["a"])
  }
}
