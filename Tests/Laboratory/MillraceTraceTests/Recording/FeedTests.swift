import TestSupport
import Testing

@testable import Millrace
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

@Suite("What a recorder has seen and not written")
struct SeenEventsTests {
  private static func turn(
    _ sequence: UInt64, isClosing: Bool = false
  ) -> WitnessedTurn {
    WitnessedTurn(
      sequence: sequence, site: CallSite(fileID: #fileID, line: #line), run: nil,
      isClosing: isClosing, start: 0, duration: 0)
  }

  private static func events(memory limit: Int = 1 << 20) -> SeenEvents {
    let seen = SeenEvents(memory: limit, snapshotEvery: 64)
    _ = seen.began(.note(kind: "begun", text: ""))
    return seen
  }

  /// What waits, in words.
  private static func take(_ seen: SeenEvents) -> [String] {
    var items: [SeenItem.Timed] = []
    _ = seen.take(into: &items)
    return items.map { timed in
      switch timed.item {
      case .action(let action, let turn): "\(turn.sequence) \(action)"
      case .closing: "closing"
      case .note(let kind, _): kind
      case .ended(let isClosing): "ended \(isClosing)"
      case .moment(_, _, let gap?): "lost \(gap.lost)"
      default: "other"
      }
    }
  }

  @Test("the closing of the store is recorded once")
  func closing() {
    let seen = Self.events()
    for number in 1...3 { _ = seen.reduced("a", Self.turn(UInt64(number), isClosing: number > 1)) }
    #expect(Self.take(seen) == ["begun", "1 a", "closing", "2 a", "3 a"])
  }

  @Test("nothing is kept after the end")
  func end() {
    let seen = Self.events()
    _ = seen.reduced("a", Self.turn(1))
    #expect(seen.ended(isClosing: true).hasBegun)
    #expect(seen.reduced("b", Self.turn(2)).wakeUp == nil)
    #expect(!seen.waits(WitnessedWait(generation: 1, identity: ObjectIdentifier(seen), reason: { "x" })))
    seen.add(.note(kind: "late", text: ""), weight: 1)
    seen.snapshot("state", after: 2)
    #expect(Self.take(seen) == ["begun", "1 a", "ended true"])
    #expect(seen.ended(isClosing: false).need.wakeUp == nil)
    #expect(Self.take(seen) == [])
  }

  @Test("the last state is due where an action is behind the last snapshot, and ends a gap")
  func last() {
    let none = SeenEvents(memory: 1 << 20, snapshotEvery: 64)
    #expect(!none.ending().snapshot)
    let seen = Self.events(memory: 4_700)  // the beginning has 4,264
    #expect(!seen.ending().snapshot)
    _ = seen.reduced("a", Self.turn(1))
    #expect(seen.ending().snapshot)
    for number in 2...3 { _ = seen.reduced("b", Self.turn(UInt64(number))) }
    let due = seen.ending()
    #expect(!due.snapshot && due.resumes?.lost == 1)
    _ = seen.ended(isClosing: false)
    #expect(!seen.ending().snapshot)
  }

  @Test("a gap ends with the first action for which there is room")
  func gap() {
    let seen = Self.events(memory: 4_700)  // the beginning has 4,264
    _ = seen.reduced("a", Self.turn(1))
    for number in 2...3 { #expect(seen.reduced("b", Self.turn(UInt64(number))).resumes == nil) }
    #expect(Self.take(seen) == ["begun", "1 a", "2 b"])
    #expect(seen.reduced("c", Self.turn(4)).resumes?.lost == 2)
    seen.resumed(
      .moment("state", WitnessedMoment(sequence: 4, connections: [], runs: []), gap: (lost: 2, details: 0)))
    _ = seen.reduced("d", Self.turn(5))
    #expect(Self.take(seen) == ["lost 2", "5 d"])
  }

  @Test("the queue is woken once, until everything is written")
  func waking() {
    let seen = SeenEvents(memory: 1 << 20, snapshotEvery: 64)
    #expect(seen.began(.note(kind: "begun", text: "")).wakeUp != nil)
    #expect(seen.isServing)
    #expect(seen.reduced("a", Self.turn(1)).wakeUp == nil)
    #expect(!seen.rests())
    #expect(Self.take(seen) == ["begun", "1 a"])
    #expect(seen.rests() && !seen.isServing)
    #expect(seen.reduced("b", Self.turn(2)).wakeUp != nil)
  }

  @Test("what comes before the beginning waits for it")
  func early() {
    let seen = SeenEvents(memory: 1 << 20, snapshotEvery: 64)
    seen.add(.note(kind: "early", text: ""), weight: 1)
    #expect(Self.take(seen) == [])
    _ = seen.began(.note(kind: "begun", text: ""))
    #expect(Self.take(seen) == ["begun", "early"])
  }

  @Test("a snapshot is due with each action, if so wanted, and not with one that is lost")
  func snapshots() {
    let seen = SeenEvents(memory: 4_500, snapshotEvery: 1)
    _ = seen.began(.note(kind: "begun", text: ""))
    #expect(seen.reduced("a", Self.turn(1)).snapshot)
    seen.snapshot("state", after: 1)
    #expect(!seen.reduced("b", Self.turn(2)).snapshot)
  }
}
