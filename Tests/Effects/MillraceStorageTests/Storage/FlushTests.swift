import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTesting
import TestSupport
import Testing

@Suite struct FlushTests {
  private enum Action: Sendable {
    case set(Int)
    case storage(StorageEvent)
  }

  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func makeStore() -> Store<Saving<Int>, Action> {
    Store(initialState: Saving(StoredValue(), or: 0)) { state, action in
      switch action {
      case .set(let value): state.save { $0 = value }
      case .storage(let event): state.reduce(event)
      }
    }
  }

  @Test("what changed last before a shutdown is on the medium once it is flushed")
  func flushed() async throws {
    let storage = FileStorage<Int>(at: folder.file("number"))
    let store = makeStore()
    store.connect(StorageEffect(storage), to: \.self, action: Action.storage)
    for value in 1...100 { store.dispatch(.set(value)) }
    await store.shutdown()
    try await storage.flush(store.state)
    await storage.close()
    let stored = try await FileStorage<Int>(at: folder.file("number")).load()
    #expect(stored == StoredValue(value: 100, generation: 100, source: .current))
  }

  @Test("what a debounce has kept back is on the medium once it is flushed")
  func debounced() async throws {
    let clock = TestClock()
    let storage = FileStorage<Int>(at: folder.file("number"))
    let store = makeStore()
    store.connect(
      StorageEffect(storage).debounced(for: .seconds(5), clock: clock), to: \.self, action: Action.storage)
    store.dispatch(.set(7))
    try await clock.sleepers(atLeast: 1)
    await store.shutdown()
    #expect(!folder.names.contains("number"))
    try await storage.flush(store.state)
    #expect(try await storage.load().value == 7)
  }

  @Test("a flush that fails says why, and what was stored stays")
  func failed() async throws {
    let isFull = Lock(false)
    let disk = ScriptedDisk { _ throws(StorageFailure) in
      if isFull.withLock({ $0 }) { throw .diskFull("here") }
    }
    let storage = FileStorage<Int>.on(disk, at: folder.file("number"))
    try await storage.save(1, generation: 1)
    isFull.withLock { $0 = true }
    var saving = Saving(StoredValue(value: 1, generation: 1), or: 0)
    saving.save { $0 = 2 }
    let asked = saving
    await #expect(throws: StorageFailure.diskFull("here")) { try await storage.flush(asked) }
    #expect(try await storage.load().value == 1)
  }

  @Test("a value that is known to be saved is not written again")
  func saved() async throws {
    let writes = Recorder<Bool>()
    let disk = ScriptedDisk { step in if step == .write { writes.append(true) } }
    let storage = FileStorage<Int>.on(disk, at: folder.file("number"))
    var saving = Saving(StoredValue(), or: 0)
    saving.save { $0 = 1 }
    try await storage.flush(saving)
    saving.reduce(.saved(generation: 1))
    try await storage.flush(saving)
    #expect(writes.values.count == 1)
  }
}
