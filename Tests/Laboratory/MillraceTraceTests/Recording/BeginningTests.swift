import Foundation
import Millrace
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

@Suite("The beginning of a recording")
struct BeginningTests {
  typealias Adding = Store<Int, Int>

  static func store(on queue: ReducerQueue = .serial()) -> Adding {
    Store(initialState: 0, on: queue) { (state: inout Int, step: Int) in state += step }
  }

  @Test("a file has its header as `record` returns, also in a turn, where the recording has not begun")
  func header() throws {
    let folder = try TemporaryFolder()
    let store = Self.store(on: .immediate)
    let found = Lock<[Result<TraceText, any Error>]>([])
    // Unowned: the test holds the store, which holds this closure.
    let isOne: @Sendable (Int) -> Bool = { $0 == 1 }
    store.connect(while: isOne) { [unowned store] _ in
      for destination in [TraceDestination.file(folder.file("trace")), .ring(folder.file("trace"))] {
        let text = Result {
          try store.record(to: destination)
          return try FileTests.read(folder.file("trace"))
        }
        found.withLock { $0.append(text) }
      }
    }
    store.dispatch(1)
    let texts = try found.withLock(\.self).map { try $0.get() }
    #expect(texts.map(\.header.state) == ["Int", "Int"])
    #expect(texts.map(\.lines.count) == [0, 0])
    #expect(folder.names == ["trace"])
    for text in texts {
      let memory = TraceMemory(text.header, [])
      #expect(try Replay(of: memory) { (state: inout Int, step: Int) in state += step }.verdict().isSame)
    }
  }

  @Test("flushing and asking wait until the recording has begun")
  func waits() async throws {
    let folder = try TemporaryFolder()
    for _ in 0..<20 {
      let store = Self.store()
      let recording = try store.record(to: .file(folder.file("trace")))
      try await recording.flush()
      #expect(try FileTests.read(folder.file("trace")).snapshots.count == 1)
      let other = try store.record(to: .file(folder.file("other")))
      #expect(try await other.questions().inspection.contains("0 actions, 0 runs"))
    }
  }

  @Test("finishing waits until the recording has begun, so that it has the state")
  func finished() async throws {
    let memory = TraceMemory()
    let store = Store(initialState: 7) { (state: inout Int, step: Int) in state += step }
    try await store.record(to: .memory(memory)).finish()
    let text = try TraceText(memory.bytes)
    #expect(text.snapshots.map(\.state) == [.json(.int(7))])
    if case .end = text.lines.last?.line {} else { Issue.record("the recording has no end") }
  }

  @Test("a note made before the recording has begun is a line behind its beginning")
  func early() async throws {
    for _ in 0..<20 {
      let memory = TraceMemory()
      let store = Self.store()
      let recording = try store.record(to: .memory(memory))
      recording.note("early")
      try await recording.flush()
      #expect(try TraceText(memory.bytes).notes.map(\.text) == ["early"])
    }
  }

  @Test("a `connect` function that records, called for a replay, replaces no file and waits for nothing")
  func replayed() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("trace")
    let store = Self.store()
    let recording = try store.record(to: .file(file))
    store.dispatch(3)
    try await recording.finish()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let second = Lock<TraceRecording?>(nil)
    let verdict = try Replay(of: file, reduce: { (state: inout Int, step: Int) in state += step }) { store in
      let begun = try? store.record(to: .file(file))
      second.withLock { $0 = begun }
    }.verdict()
    #expect(verdict.isSame, "\(verdict)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
    let again = try #require(second.withLock { $0 })
    await #expect(throws: TraceFailure.self) { try await again.flush() }
  }

  @Test("a recording of a store that was shut down holds nothing and says so")
  func missed() async throws {
    let memory = TraceMemory()
    let store = Self.store()
    await store.shutdown()
    let recording = try store.record(to: .memory(memory))
    recording.note("late")
    let failure = await #expect(throws: TraceFailure.self) { try await recording.flush() }
    #expect(failure?.description.hasPrefix("nothing is recorded") == true)
    await #expect(throws: TraceFailure.self) { try await recording.finish() }
    #expect(try TraceText(memory.bytes).lines.isEmpty)
  }

  @Test("a recording whose store is released at once has its beginning and its end")
  func released() async throws {
    let memory = TraceMemory()
    var store: Adding? = Self.store()
    let recording = try store?.record(to: .memory(memory))
    store?.dispatch(1)
    store = nil
    await recording?.connection.finished()
    let text = try TraceText(memory.bytes)
    #expect(text.snapshots.first?.sequence == 0)
    #expect(text.actions.count == 1)
    if case .end = text.lines.last?.line {} else { Issue.record("the recording has no end") }
  }

  @Test(
    "a recording begun in a turn, by the closure of a lifetime, begins behind that turn",
    arguments: [ReducerQueue.serial(), .immediate])
  func inTurn(_ queue: ReducerQueue) async throws {
    let memory = TraceMemory()
    let store = Store(initialState: Shop.State(), on: queue, reduce: Shop.reduce)
    let recording = Lock<TraceRecording?>(nil)
    let gate = Gate()
    let connect = { @Sendable (store: Store<Shop.State, Shop.Action>) in
      Shop.connect(store, prices: Shop.PriceEffect { _ in await gate.waitIgnoringCancellation() })
    }
    connect(store)
    let isAudited = { @Sendable (state: Shop.State) in !state.audits.isEmpty }
    // Unowned: the test holds the store, which holds this closure.
    let lifetime = store.connect(while: isAudited) { [unowned store] _ in
      let begun = try? store.record(to: .memory(memory), snapshotEvery: 1)
      recording.withLock { $0 = $0 ?? begun }
    }
    store.dispatch(.wanted("tea", count: 1))
    store.dispatch(.auditAsked(1))
    gate.open()
    await store.settled()
    await store.send(.wanted("milk", count: 2))
    await store.settled()
    try await recording.withLock(\.self)?.finish()
    lifetime.disconnect()
    let text = try TraceText(memory.bytes)
    #expect(text.snapshots.first?.sequence == 2)
    #expect(text.snapshots.first?.whole?.runs.count == 2)
    #expect(text.actions.first?.sequence == 3)
    let verdict = try Replay(of: memory, reduce: Shop.reduce) { store in
      connect(store)
      store.connect(while: isAudited) { _ in }
    }.verdict()
    #expect(verdict.isSame, "\(verdict)")
  }

  /// Records its store as the action that carries it is released.
  private final class Carried: Sendable {
    let store: Store<Int, Carrier>
    let record: @Sendable (Store<Int, Carrier>) -> Void

    init(_ store: Store<Int, Carrier>, record: @escaping @Sendable (Store<Int, Carrier>) -> Void) {
      (self.store, self.record) = (store, record)
    }

    deinit { record(store) }
  }

  private struct Carrier: Sendable {
    var carried: Carried?
  }

  @Test("a recording is begun in a deinit", arguments: [ReducerQueue.serial(), .immediate])
  func inDeinit(_ queue: ReducerQueue) async throws {
    let memory = TraceMemory()
    let gate = Gate()
    let store = Store(initialState: 0, on: queue) { (state: inout Int, _: Carrier) in state += 1 }
    let recording = Lock<TraceRecording?>(nil)
    store.dispatch(
      Carrier(
        carried: Carried(store) { store in
          let begun = try? store.record(to: .memory(memory))
          recording.withLock { $0 = begun }
          gate.open()
        }))
    await gate.waitIgnoringCancellation()
    await store.send(Carrier())
    try await recording.withLock(\.self)?.finish()
    let text = try TraceText(memory.bytes)
    #expect(text.snapshots.first?.sequence == 1)
    #expect(text.actions.map(\.sequence) == [2])
  }
}
