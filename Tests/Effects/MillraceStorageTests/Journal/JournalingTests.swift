import Millrace
import Testing

@testable import MillraceStorage

@Suite struct JournalingTests {
  private typealias Pages = Journaling<String, Int>
  private typealias Event = JournalEvent<String, Int>

  private func loaded(_ entries: [String: Int] = [:]) -> Pages {
    var pages = Pages()
    pages.reduce(.loaded(StoredEntries(entries: entries)))
    return pages
  }

  private func wanted(_ pages: Pages) -> [String: JournalChange<Int>]? {
    guard case .append = pages.backlog.wanted else { return nil }
    return pages.backlog.changes
  }

  @Test("a journal is loaded first, and what was changed before that is taken over and saved")
  func loading() {
    var pages = Pages()
    pages["b"] = 20
    pages["c"] = nil
    #expect(pages.backlog.wanted == .load(attempt: 1))
    #expect(!pages.isLoaded)
    pages.reduce(.loaded(StoredEntries(entries: ["a": 1, "b": 2])))
    #expect(pages.entries == ["a": 1, "b": 20])
    #expect(wanted(pages) == ["b": .set(20)])
  }

  @Test("a key that was removed before the load is removed after it")
  func removedBeforeLoading() {
    var pages = Pages()
    pages["a"] = 5
    pages["a"] = nil
    pages.reduce(.loaded(StoredEntries(entries: ["a": 1, "b": 2])))
    #expect(pages.entries == ["b": 2])
    #expect(wanted(pages) == ["a": .removed])
  }

  @Test("only what changes is asked to be saved, and what is no change is not")
  func changes() {
    var pages = loaded(["a": 1, "b": 2])
    pages["a"] = 1
    pages["z"] = nil
    #expect(pages.backlog.wanted == nil && pages.isSaved)
    pages["a"] = 3
    pages["b"] = nil
    pages["a"] = 4
    #expect(wanted(pages) == ["a": .set(4), "b": .removed])
    #expect(pages.backlog.generation == 3 && pages.backlog.unsavedCount == 2)
  }

  @Test("what was saved is asked no more, and what changed meanwhile is")
  func saved() {
    var pages = loaded()
    pages["a"] = 1
    pages["b"] = 2
    pages["a"] = 3
    pages.reduce(.saved(generation: 2))
    #expect(wanted(pages) == ["a": .set(3)])
    pages.reduce(.saved(generation: 1))
    #expect(pages.backlog.savedGeneration == 2)
    pages.reduce(.saved(generation: 99))
    #expect(pages.isSaved && pages.backlog.unsavedCount == 0 && pages.backlog.savedGeneration == 3)
  }

  @Test("an update to another dictionary asks for what differs")
  func update() {
    var pages = loaded(["a": 1, "b": 2, "c": 3])
    pages.update(to: ["a": 1, "b": 5, "d": 4])
    #expect(pages.entries == ["a": 1, "b": 5, "d": 4])
    #expect(wanted(pages) == ["b": .set(5), "c": .removed, "d": .set(4)])
  }

  @Test("a failed append is not asked for again until it is retried or something changes")
  func failed() {
    var pages = loaded()
    pages["a"] = 1
    pages.reduce(.failed(.diskFull("x"), generation: 1, attempt: 1))
    #expect(pages.failure == .diskFull("x") && pages.backlog.wanted == nil)
    pages.retry()
    #expect(wanted(pages) == ["a": .set(1)] && pages.backlog.attempt == 2)
    pages.reduce(.failed(.diskFull("x"), generation: 1, attempt: 1))
    #expect(pages.failure == nil, "an older attempt is of no interest")
    pages.reduce(.failed(.diskFull("y"), generation: 1, attempt: 2))
    pages["b"] = 2
    #expect(wanted(pages) == ["a": .set(1), "b": .set(2)] && pages.backlog.attempt == 1)
    pages.reduce(.failed(.diskFull("z"), generation: 1, attempt: 1))
    #expect(pages.failure == nil, "the next append holds these changes as well")
  }

  @Test("a failed load is not asked for again until it is retried, whatever changes")
  func loadFailed() {
    var pages = Pages()
    pages.reduce(.failed(.locked("x"), generation: 0, attempt: 1))
    #expect(pages.failure == .locked("x") && pages.backlog.wanted == nil)
    pages["a"] = 1
    #expect(pages.backlog.wanted == nil && pages.failure == .locked("x"))
    pages.retry()
    #expect(pages.backlog.wanted == .load(attempt: 2))
    pages["b"] = 1
    pages.reduce(.failed(.locked("x"), generation: 0, attempt: 2))
    #expect(pages.failure == .locked("x"))
  }

  @Test("a file that somebody has changed is loaded again before anything is appended")
  func changedByOthers() {
    var pages = loaded(["a": 1])
    pages["b"] = 2
    pages.reduce(.failed(.notLoaded("x"), generation: 1, attempt: 1))
    #expect(!pages.isLoaded && pages.backlog.wanted == nil)
    pages.retry()
    #expect(pages.backlog.wanted == .load(attempt: 2))
    pages.reduce(.loaded(StoredEntries(entries: ["c": 3])))
    #expect(pages.entries == ["b": 2, "c": 3])
  }

  @Test("of two versions of a keyed collection, what differs is taken down")
  func keyedArray() {
    struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      var title: String
    }
    var backlog = JournalBacklog<Int, Row>()
    var rows: KeyedArray<Row> = [Row(id: 1, title: "a"), Row(id: 2, title: "b"), Row(id: 3, title: "c")]
    let before = rows
    rows[id: 1]?.title = "A"
    rows.remove(id: 2)
    rows.append(Row(id: 4, title: "d"))
    rows.move(id: 3, to: 0)
    backlog.record(from: before, to: rows)
    let expected: [Int: JournalChange<Row>] = [
      1: .set(Row(id: 1, title: "A")), 2: .removed, 4: .set(Row(id: 4, title: "d")),
    ]
    #expect(backlog.changes == expected)
  }

  @Test("very many unsaved changes of one key cost the same each, and it is known which of them is on disk")
  func chain() throws {
    var pages = Journaling<String, Int>()
    pages.reduce(.loaded(StoredEntries(entries: ["a": 0])))
    var versions: [Journaling<String, Int>] = []  // a store keeps the one before each change
    for value in 1...3000 {
      pages["a"] = value
      versions.append(pages)
    }
    let unsaved = Mirror(reflecting: pages.backlog).children.first { $0.label == "unsaved" }?.value
    let changes = try #require(unsaved as? KeyedArray<NumberedChange<String, Int>>)
    #expect(changes.first.map { $0.earlier.count < 300 } == true)
    for generation in [0, 1, 255, 256, 257, 511, 512, 513, 1500, 2999, 3000] {
      var saved = pages
      saved.reduce(.saved(generation: UInt64(generation)))
      #expect(saved.stored == ["a": generation])
      saved["a"] = -1
      saved["a"] = -2
      #expect(saved.stored == ["a": generation])
      saved.reduce(.failed(.diskFull("f"), generation: saved.backlog.generation, attempt: 1))
      saved["a"] = -3
      #expect(saved.stored == ["a": generation])
    }
  }

  @Test(
    "a change that cannot be encoded stays unsaved, is told when all others are saved, and is not taken for saved"
  )
  func savedPartly() {
    var pages = loaded(["a": 1])
    (pages["a"], pages["b"]) = (2, 1)
    pages["a"] = 3
    let failure = StorageFailure.notEncodable("a")
    pages.reduce(.savedPartly(generation: 3, without: ["a"], failure))
    #expect(pages.stored == ["a": 1, "b": 1] && !pages.isSaved)
    #expect(pages.failure == failure && pages.backlog.wanted == nil)
    pages["c"] = 1
    #expect(pages.failure == nil && pages.backlog.unsavedCount == 2)
    pages.reduce(.savedPartly(generation: 4, without: ["a"], failure))
    #expect(pages.failure == nil && pages.backlog.wanted != nil, "another change is newer")
    pages["a"] = nil
    pages.reduce(.savedPartly(generation: 6, without: ["a"], failure))
    #expect(
      pages.stored == ["a": 1, "b": 1, "c": 1] && pages.backlog.unsavedCount == 1, "it was changed since")
  }
}
