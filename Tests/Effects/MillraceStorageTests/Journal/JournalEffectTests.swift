import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTesting
import TestSupport
import Testing

@Suite struct JournalEffectTests {
  private enum Action: Sendable {
    case set(String, Int?)
    case retry
    case journal(JournalEvent<String, Int>)
  }

  private struct State: Sendable {
    var pages = Journaling<String, Int>()
  }

  private let folder: TemporaryFolder
  private let events = Recorder<JournalEvent<String, Int>>()
  init() throws { folder = try TemporaryFolder() }

  private func storage(on disk: ScriptedDisk = ScriptedDisk { _ in }) -> JournalStorage<String, Int> {
    .on(disk, at: folder.file("pages"))
  }

  private func store() -> Store<State, Action> {
    Store(initialState: State()) { [events] state, action in
      switch action {
      case .set(let key, let value): state.pages[key] = value
      case .retry: state.pages.retry()
      case .journal(let event):
        events.append(event)
        state.pages.reduce(event)
      }
    }
  }

  private func stored() async throws -> [String: Int] {
    let storage = storage()
    defer { withExtendedLifetime(storage) {} }
    let entries = try await storage.load().entries
    await storage.close()
    return entries
  }

  @Test("what is stored is loaded, and what changes from then on is appended")
  func kept() async throws {
    let first = storage()
    try await first.append(["a": .set(1), "b": .set(2)])
    await first.close()
    let second = storage()
    let store = store()
    store.connect(JournalEffect(second), to: \.pages.backlog, action: Action.journal)
    store.dispatch(.set("c", 3))
    await store.settled()
    #expect(store.state.pages.entries == ["a": 1, "b": 2, "c": 3])
    store.dispatch(.set("a", nil))
    for value in 1...100 { store.dispatch(.set("b", value)) }
    await store.settled()
    #expect(store.state.pages.isSaved)
    await second.close()
    #expect(try await stored() == ["b": 100, "c": 3])
  }

  @Test("what changes while a write is under way is written next, once and nothing of it twice")
  func together() async throws {
    let (begun, goOn) = (Recorder<Bool>(), Signal())
    let disk = ScriptedDisk { step in
      guard step == .append else { return }
      begun.append(true)
      goOn.wait()
    }
    let storage = storage(on: disk)
    let store = store()
    store.connect(JournalEffect(storage), to: \.pages.backlog, action: Action.journal)
    await store.settled()
    store.dispatch(.set("first", 0))
    try await begun.values(atLeast: 1)
    for value in 1...9 { store.dispatch(.set("\(value)", value)) }
    goOn.give()
    try await begun.values(atLeast: 2)
    goOn.give()
    await store.settled()
    #expect(events.values == [.loaded(StoredEntries()), .saved(generation: 1), .saved(generation: 10)])
    await storage.close()
    let bytes = try folder.read("pages")
    #expect(bytes.ranges(of: Data("\"first\"".utf8)).count == 1)
    #expect(try await stored().count == 10)
  }

  @Test("what a request holds again that was written already is not written twice")
  func overlapping() async throws {
    let storage = storage()
    _ = try await storage.load()
    var backlog = JournalBacklog<String, Int>()
    backlog.reduce(.loaded(StoredEntries()))
    backlog.set(1, for: "first")
    let first = try #require(backlog.wanted)
    backlog.set(2, for: "second")
    let second = try #require(backlog.wanted)
    let requests = RequestUpdates(first)
    let run = Task { [events] in
      await JournalEffect(storage).run(following: requests, send: .recording(into: events))
    }
    try await events.values(atLeast: 1)
    requests.offer(second)
    try await events.values(atLeast: 2)
    requests.finish()
    await run.value
    await storage.close()
    #expect(events.values == [.saved(generation: 1), .saved(generation: 2)])
    #expect(try folder.read("pages").ranges(of: Data("\"first\"".utf8)).count == 1)
    #expect(try await stored() == ["first": 1, "second": 2])
  }

  @Test("a failed append is told in the state, and made again when asked")
  func failed() async throws {
    let isFull = Lock(true)
    let disk = ScriptedDisk { step throws(StorageFailure) in
      if isFull.withLock({ $0 }) { throw .diskFull("here") }
    }
    let storage = storage(on: disk)
    let store = store()
    store.connect(JournalEffect(storage), to: \.pages.backlog, action: Action.journal)
    store.dispatch(.set("a", 1))
    await store.settled()
    #expect(store.state.pages.failure == .diskFull("here"))
    isFull.withLock { $0 = false }
    store.dispatch(.retry)
    await store.settled()
    #expect(store.state.pages.isSaved)
    await storage.close()
    #expect(try await stored() == ["a": 1])
  }

  @Test("what changed last before a shutdown is on the medium once it is flushed")
  func flushed() async throws {
    let storage = storage()
    let store = store()
    store.connect(JournalEffect(storage), to: \.pages.backlog, action: Action.journal)
    await store.settled()
    for value in 1...100 { store.dispatch(.set("\(value)", value)) }
    await store.shutdown()
    try await storage.flush(store.state.pages.backlog)
    await storage.close()
    #expect(try await stored().count == 100)
  }
}
