import Millrace
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceStorage

/// Posts each text once.
private struct Post: EffectComponent {
  let posted: Recorder<String>
  func requests(in texts: Set<String>) -> Set<String> { texts }
  func run(_ text: String, send: Send<Never>) async { posted.append(text) }
}

/// Has one line, which carries the newest text.
private struct Line: HandoverEffectComponent {
  typealias Action = StorageEvent  // it sends none
  let carried: Recorder<String>
  func id(of text: String) -> Int { 1 }
  func requests(in text: String) -> Set<String> { text.isEmpty ? [] : [text] }
  func run(following texts: RequestUpdates<String>, send: Send<StorageEvent>) async {
    for await text in texts { carried.append(text) }
    carried.append("end")
  }
}

/// Posts the entries that are due.
private struct PostDue: EffectComponent {
  func requests(in entries: [String: Bool]) -> Set<String> { Set(entries.filter(\.value).keys) }
  func run(_ text: String, send: Send<Never>) async {}
}

@Suite struct WhenJournaledTests {
  private let effect: WhenJournaledEffect<PostDue, String, Bool> = PostDue().whenSaved()

  @Test("a request of a journal is asked for once both the current entries and those on disk ask for it")
  func both() {
    var texts = Journaling<String, Bool>()
    texts["early"] = true
    #expect(effect.requests(in: texts).isEmpty)
    texts.reduce(.loaded(StoredEntries(entries: ["a": true, "early": true, "b": true])))
    #expect(effect.requests(in: texts) == ["a", "b", "early"])
    texts["c"] = true
    texts["b"] = nil
    #expect(effect.requests(in: texts) == ["a", "early"])
    texts.reduce(.saved(generation: texts.backlog.generation))
    #expect(effect.requests(in: texts) == ["a", "c", "early"])
  }

  @Test("where a key changes while it is written, the value that was written counts as on disk")
  func inBetween() {
    var texts = Journaling<String, Bool>()
    texts.reduce(.loaded(StoredEntries(entries: ["a": false, "b": true])))
    texts["a"] = true  // 1
    texts["b"] = false  // 2
    texts["a"] = nil  // 3
    texts["a"] = true  // 4
    texts["b"] = true  // 5
    #expect(effect.requests(in: texts) == ["b"], "which it still asks for, and did")
    texts.reduce(.saved(generation: 2))
    #expect(effect.requests(in: texts) == ["a"], "the file says that b is not due")
    texts.reduce(.saved(generation: 3))
    #expect(effect.requests(in: texts).isEmpty)
    texts.reduce(.saved(generation: 5))
    #expect(effect.requests(in: texts) == ["a", "b"])
  }

  @Test("a key that changes again and again keeps no more values than may come to be on disk")
  func bounded() {
    var texts = Journaling<String, Bool>()
    texts.reduce(.loaded(StoredEntries()))
    for number in 1...100 {
      texts["a"] = number % 2 == 0
      if number > 50 { texts.reduce(.failed(.diskFull("f"), generation: UInt64(number), attempt: 1)) }
      if number <= 50 { texts.reduce(.saved(generation: UInt64(number - 1))) }
    }
    #expect(String(describing: texts.backlog).count < 3000)
  }
}

@Suite struct WhenSavedTests {
  private struct Texts: Equatable, Sendable { var due: Set<String> = [] }

  @Test("a request is asked for once both the current value and the value on disk ask for it")
  func both() {
    let effect = Post(posted: Recorder()).whenSaved(\Texts.due)
    var saving = Saving(StoredValue(), or: Texts(due: ["initial"]))
    #expect(effect.requests(in: saving).isEmpty, "nothing is stored")
    saving.save { $0.due = ["a"] }
    #expect(effect.requests(in: saving).isEmpty)
    saving.reduce(.began(generation: 1))
    saving.save { $0.due = ["a", "b"] }
    saving.reduce(.saved(generation: 1))
    #expect(effect.requests(in: saving) == ["a"])
    saving.save { $0.due = ["b"] }
    #expect(effect.requests(in: saving).isEmpty, "a request that has left the state is stopped at once")
    saving.reduce(.saved(generation: 3))
    #expect(effect.requests(in: saving) == ["b"])
  }

  @Test("a request that was asked for before the stored value was loaded waits until it is saved")
  func merged() {
    let effect = Post(posted: Recorder()).whenSaved(\Texts.due)
    var saving = Saving(Texts())
    saving.save { $0.due = ["new"] }
    saving.loaded(StoredValue(value: Texts(due: ["old"]), generation: 57, source: .current)) { stored, new in
      Texts(due: stored.due.union(new.due))
    }
    #expect(effect.requests(in: saving) == ["old"])
    saving.reduce(.saved(generation: 58))
    #expect(effect.requests(in: saving) == ["old", "new"])
  }

  @Test("a run goes on while other parts of the value change and are saved")
  func continues() {
    let effect = Post(posted: Recorder()).whenSaved(\Texts.due)
    var saving = Saving(StoredValue(value: Texts(due: ["a"]), generation: 1, source: .current), or: Texts())
    for number in 2..<20 {
      saving.save { $0.due.insert("\(number)") }
      #expect(effect.requests(in: saving).contains("a"))
      if number % 3 == 0 { saving.reduce(.saved(generation: UInt64(number))) }
    }
  }

  @Test("a value that is handed over reaches its run once it is on disk, and the run goes on meanwhile")
  func handedOver() async throws {
    let carried = Recorder<String>()
    let store = Store(initialState: Saving(StoredValue(), or: ""), on: .immediate) {
      (saving: inout Saving<String>, change: Change) in
      switch change {
      case .text(let text): saving.save { $0 = text }
      case .storage(let event): saving.reduce(event)
      }
    }
    store.connect(Line(carried: carried).whenSaved(), to: \.self, action: Change.storage, longRunning: true)
    store.dispatch(.text("a"))
    store.dispatch(.storage(.saved(generation: 1)))
    try await carried.values(atLeast: 1)
    store.dispatch(.text("b"))
    store.dispatch(.storage(.saved(generation: 2)))
    try await carried.values(atLeast: 2)
    store.dispatch(.text(""))
    try await carried.values(atLeast: 3)
    #expect(carried.values == ["a", "b", "end"])
  }

  private enum Change: Sendable {
    case text(String)
    case storage(StorageEvent)
  }
}
