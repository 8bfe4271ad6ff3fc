import Millrace
import TestSupport
import Testing

@testable import MillraceTrace

@Suite("The feed of a recorder")
struct FeedTests {
  @Test("details go first, then all, until what waits is written")
  func order() {
    var feed = TraceFeed<Int>(limit: 100)
    #expect(feed.happened(weight: 40) { 1 } == .kept)
    #expect(feed.happened(weight: 20, isDetail: true) { 2 } == .kept)
    #expect(feed.happened(weight: 20, isDetail: true) { 3 } == .dropped)
    #expect(feed.happened(weight: 40) { 4 } == .kept)
    #expect(feed.happened(weight: 1) { 5 } == .dropped)
    #expect(feed.happened(weight: 1, canResume: true) { 6 } == .dropped)
    var taken: [Int] = []
    #expect(feed.take(into: &taken) == 1)
    #expect(taken == [1, 2, 4])
    taken = []
    #expect(feed.happened(weight: 1, isDetail: true) { 7 } == .dropped)
    #expect(feed.happened(weight: 1, canResume: true) { 8 } == .resumes(lost: 4, details: 1))
    #expect(feed.happened(weight: 1) { 9 } == .kept)
    _ = feed.take(into: &taken)
    #expect(taken == [9])
  }

  @Test("details that were lost alone are counted")
  func details() {
    var feed = TraceFeed<Int>(limit: 100)
    _ = feed.happened(weight: 60) { 1 }
    _ = feed.happened(weight: 10, isDetail: true) { 2 }
    var taken: [Int] = []
    #expect(feed.take(into: &taken) == 1)
    taken = []
    #expect(feed.take(into: &taken) == 0 && feed.isEmpty)
  }

  @Test("one event that is larger than the limit is kept")
  func large() {
    var feed = TraceFeed<Int>(limit: 10)
    #expect(feed.happened(weight: 100) { 1 } == .kept)
  }

  @Test("snapshots keep pace with the actions and with the size of the state")
  func pace() {
    var pace = SnapshotPace(every: 4)
    func taken(_ numbers: ClosedRange<UInt64>, room: Int = 10_000) -> [UInt64] {
      numbers.filter { pace.actionReduced($0, room: room) }
    }
    #expect(taken(1...10) == [])
    pace.snapshotWritten(0, bytes: 100, bytesOfAction: 100)
    #expect(taken(11...11) == [11])
    #expect(taken(12...15) == [15])
    pace.snapshotWritten(15, bytes: 1000, bytesOfAction: 100)
    #expect(taken(16...24) == [])
    pace.demand()
    #expect(taken(25...25, room: 0) == [25])
  }

  @Test("snapshots that are not written yet are no reason to take none, but for their memory")
  func waitingSnapshots() {
    var pace = SnapshotPace(every: 4)
    func taken(_ numbers: ClosedRange<UInt64>, room: Int) -> [UInt64] {
      numbers.filter { pace.actionReduced($0, room: room) }
    }
    pace.snapshotWritten(0, bytes: 100, bytesOfAction: 100)
    #expect(taken(1...20, room: 1000) == [4, 8, 12, 16, 20])
    #expect(taken(21...40, room: 99) == [])
    // A state that has grown by 50 bytes an action is taken to go on.
    pace.snapshotWritten(20, bytes: 1100, bytesOfAction: 100)
    #expect(pace.bytes(after: 20) == 1100)
    #expect(pace.bytes(after: 40) == 2100)
    #expect(taken(40...40, room: 2000) == [])
    #expect(taken(40...40, room: 2100) == [40])
  }

  @Test("what waits is taken in chunks, in its order, and counts until then")
  func chunks() {
    var feed = TraceFeed<Int>(limit: 1000)
    for number in 0..<1000 { _ = feed.happened(weight: 1) { number } }
    #expect(feed.happened(weight: 1) { 1000 } == .dropped)
    var (items, taken): ([Int], [Int]) = ([], [])
    var portions: [Int] = []
    while true {
      _ = feed.take(into: &items)
      if items.isEmpty { break }
      portions.append(items.count)
      taken += items
      items.removeAll(keepingCapacity: true)
      // A gap ends once everything is taken.
      if !feed.isEmpty { _ = feed.happened(weight: 1, canResume: true) { 0 } }
    }
    #expect(taken == Array(0..<1000))
    #expect(portions.max() == 256)
    #expect(feed.happened(weight: 1, canResume: true) { 0 } == .resumes(lost: 5, details: 0))
  }

  /// Asks for another request with each action.
  struct EachEffect: EffectComponent {
    func requests(in number: Int) -> Set<Int> { [number] }
    func run(_ number: Int, send: Send<Int>) async {}
  }

  @Test("a burst of actions loses nothing by default, and has its snapshots")
  func burst() async throws {
    let memory = TraceMemory()
    let store = Store(initialState: 0) { (state: inout Int, step: Int) in state += step }
    let recording = try store.record(to: .memory(memory))
    store.connect(EachEffect(), named: "each")
    try await recording.flush()
    let count = TestSize.count(4_000, full: 100_000)
    for _ in 1...count { store.dispatch(1) }
    await store.settled()
    try await recording.finish()
    let text = try TraceText(memory.bytes)
    #expect(text.gaps.isEmpty)
    #expect(text.actions.count == count)
    let sequences = text.snapshots.map(\.sequence)
    #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $1 - $0 <= 64 })
    #expect(TraceHistory(text).inspection().json["snapshotsApart"] == .int(64))
  }

  @Test("a flood leaves a gap, and the recording goes on behind it with a snapshot")
  func flood() async throws {
    let memory = TraceMemory()
    let store = Store(initialState: 0) { (state: inout Int, step: Int) in state += step }
    let recording = try store.record(to: .memory(memory), memory: 2000)
    try await recording.flush()  // it has begun
    while try TraceText(memory.bytes).gaps.isEmpty {
      for _ in 0..<1000 { store.dispatch(1) }
      await store.settled()
      // The action with which the recording goes on.
      await store.send(1)
      try await recording.flush()
    }
    await store.send(5)
    try await recording.finish()
    let text = try TraceText(memory.bytes)
    let index = try #require(
      text.lines.lastIndex { if case .gap(let gap) = $0.line { gap.lost > gap.details } else { false } })
    guard case .snapshot(let snapshot) = text.lines[index + 1].line else { throw Unexpected() }
    #expect(snapshot.whole != nil)
    #expect(snapshot.state == .json(.int(Int64(snapshot.sequence))))
    #expect(text.notes.filter { $0.kind == "not deterministic" }.isEmpty)
  }
}
