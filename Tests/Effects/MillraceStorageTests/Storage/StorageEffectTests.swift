import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import MillraceTesting
import TestSupport
import Testing

@Suite struct StorageEffectTests {
  private enum Action: Sendable {
    case set(Int)
    case retry
    case storage(StorageEvent)
  }

  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder(isInMemory: true) }

  private func makeStore(
    recording events: Recorder<StorageEvent> = Recorder()
  ) -> Store<Saving<Int>, Action> {
    Store(initialState: Saving(StoredValue(), or: 0), on: .immediate) { state, action in
      switch action {
      case .set(let value): state.save { $0 = value }
      case .retry: state.retry()
      case .storage(let event):
        events.append(event)
        state.reduce(event)
      }
    }
  }

  @Test("of the values that come while a write is under way, only the newest is written next")
  func newestWins() async throws {
    let (begun, goOn) = (Recorder<Bool>(), Signal())
    let disk = ScriptedDisk { step in
      guard step == .write else { return }
      begun.append(true)
      goOn.wait()
    }
    let events = Recorder<StorageEvent>()
    let store = makeStore(recording: events)
    let storage = FileStorage<Int>.on(disk, at: folder.file("number"))
    store.connect(StorageEffect(storage), to: \.self, action: Action.storage)
    store.dispatch(.set(1))
    try await begun.values(atLeast: 1)
    for value in 2...9 { store.dispatch(.set(value)) }
    goOn.give()
    try await begun.values(atLeast: 2)
    goOn.give()
    await store.settled()
    #expect(
      events.values == [
        .began(generation: 1), .saved(generation: 1), .began(generation: 9), .saved(generation: 9),
      ])
    #expect(store.state.stored == 9)
    #expect(try await storage.load().value == 9)
    #expect(store.state.isSaved)
  }

  @Test("a failed save is told in the state, and made again when asked")
  func failed() async throws {
    let isFull = Lock(true)
    let disk = ScriptedDisk { _ throws(StorageFailure) in
      if isFull.withLock({ $0 }) { throw .diskFull("here") }
    }
    let store = makeStore()
    let storage = FileStorage<Int>.on(disk, at: folder.file("number"))
    store.connect(StorageEffect(storage), to: \.self, action: Action.storage)
    store.dispatch(.set(7))
    await store.settled()
    #expect(store.state.failure == .diskFull("here"))
    isFull.withLock { $0 = false }
    store.dispatch(.retry)
    await store.settled()
    #expect(store.state.isSaved)
    #expect(store.state.attempt == 2)
  }

  @Test("a stored value is loaded when the state asks for it, and a failure to is told")
  func loaded() async throws {
    let storage = FileStorage<Int>(at: folder.file("number"))
    try await storage.save(7, generation: 3)
    let sent = Recorder<LoadEvent<Int>>()
    try await LoadEffect(storage).run(LoadRequest(), send: .recording(into: sent))
    #expect(sent.values == [.loaded(StoredValue(value: 7, generation: 3, source: .current))])
    let other = LoadEffect(FileStorage<Int>(at: folder.file("number")))
    let failure = StorageFailure.locked(folder.file("number.lock"))
    await #expect(throws: failure) { try await other.run(LoadRequest(), send: .recording(into: sent)) }
    let second = LoadRequest(attempt: 2)
    #expect(other.action(for: failure, of: second) == .failed(failure, of: second))
    #expect(other.requests(in: nil).isEmpty && other.requests(in: second) == [second])
    #expect(second != LoadRequest())
    await storage.close()  // which is kept until here, and the file with it
  }

  @Test("a save that the state has taken back writes nothing", arguments: [Delivery.fenced, .refused])
  func takenBack(_ delivery: Delivery) async throws {
    let effect = StorageEffect(FileStorage<Int>(at: folder.file("number")))
    let events = Recorder<StorageEvent>()
    let requests = RequestUpdates(SaveRequest(value: 7, generation: 1))
    requests.finish()
    await effect.run(
      following: requests,
      send: Send { event in
        events.append(event)
        return delivery
      })
    #expect(events.values == [.began(generation: 1)])
    #expect(folder.names.isEmpty)
  }

  @Test("a run that is stopped before its write has begun writes nothing")
  func stopped() async throws {
    let effect = StorageEffect(FileStorage<Int>(at: folder.file("number")))
    await Task {
      let stopping = Send<StorageEvent> { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return .reduced
      }
      let requests = RequestUpdates(SaveRequest(value: 7, generation: 1))
      requests.finish()
      await effect.run(following: requests, send: stopping)
    }.value
    #expect(folder.names.isEmpty)
  }

  @Test(
    "a value that a sign-out has deleted is not on disk again, however its save and the deletion meet",
    arguments: [true, false])
  func signedOut(awaitsSignOut: Bool) async throws {
    let storage = FileStorage<Int>(at: folder.file("number"))
    let store = Store(initialState: Saving(0)) { (state: inout Saving<Int>, action: SignOutAction) in
      switch action {
      case .loaded(let stored): state.loaded(stored) { stored, _ in stored }
      case .written: state.save { $0 += 1 }
      case .signedOut: state = Saving(0)
      case .storage(let event): state.reduce(event)
      }
    }
    store.connect(StorageEffect(storage), to: \.self, action: SignOutAction.storage)
    for round in 0..<200 {
      store.dispatch(.loaded(try await storage.load()))
      store.dispatch(.written)
      for _ in 0..<round % 8 { await Task.yield() }
      store.dispatch(.written)
      if awaitsSignOut { await store.send(.signedOut) } else { store.dispatch(.signedOut) }
      try await storage.remove()
      await store.settled()
      #expect(folder.names.isEmpty)
      #expect(store.state == Saving(0))
    }
  }

  private enum SignOutAction: Sendable {
    case loaded(StoredValue<Int>)
    case written
    case signedOut
    case storage(StorageEvent)
  }
}
