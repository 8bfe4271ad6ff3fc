import Millrace
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
    _ = feed.take(into: &taken)
    #expect(taken == [1, 2, 4])
    taken = []
    #expect(feed.happened(weight: 1, isDetail: true) { 7 } == .dropped)
    #expect(feed.happened(weight: 1, canResume: true) { 8 } == .resumes(lost: 5, details: 2))
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
    #expect(feed.take(into: &taken) == 0)
  }

  @Test("one event that is larger than the limit is kept")
  func large() {
    var feed = TraceFeed<Int>(limit: 10)
    #expect(feed.happened(weight: 100) { 1 } == .kept)
  }

  @Test("snapshots keep pace with the actions and with the size of the state")
  func pace() {
    var pace = SnapshotPace(every: 4)
    for _ in 0..<10 { #expect(pace.actionReduced() == false) }
    pace.snapshotWritten(bytes: 100, bytesOfAction: 100)
    #expect(pace.actionReduced() == true)
    pace.snapshotWritten(bytes: 1000, bytesOfAction: 100)
    for _ in 0..<9 { #expect(pace.actionReduced() == false) }
    #expect(pace.actionReduced() == true)
    pace.demand()
    #expect(pace.actionReduced() == true)
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
