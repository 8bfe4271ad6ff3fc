import Millrace
import MillraceTesting
import TestSupport
import Testing

@Suite("Activity as text")
struct ActivityTests {
  private static func lines(_ activity: StoreActivity) -> [String] {
    activity.description.split(separator: "\n").dropFirst().map { line in
      line.split(separator: " at MillraceTests/").enumerated().map { index, part in
        index == 0 ? String(part) : String(part.drop { $0 != ":" }.dropFirst().drop(while: \.isNumber))
      }.joined()
    }
  }

  @Test("a run names the action that started it, and none if connecting the effect did")
  func causes() async throws {
    let store = BoardStore(on: .immediate)
    let gate = Gate()
    store.dispatch(.ask("early"))
    store.connect(JobEffect { _, _ in await gate.waitIgnoringCancellation() }, named: "jobs")
    store.dispatch(.add(1))
    try await store.dispatch(.ask("late"), reaching: gate, by: 2)
    try await store.areWaitsOnRecord(2)
    #expect(store.activity.entries.flatMap(\.work).map(\.startedBy) == [nil, 3])
    #expect(store.activity.description.hasPrefix("Board: 3 reduced, 0 fenced, 0 refused, 0 waiting\n"))
    #expect(store.activity.description.contains("jobs on \\.self at MillraceTests/ActivityTests.swift:"))
    #expect(
      Self.lines(store.activity) == [
        #"  jobs on \.self"#, "    running #1 early, waits for a gate",
        "    running #2 late, started by action 3, waits for a gate",
      ])
    await store.settled(opening: gate)
    #expect(store.activity.entries.flatMap(\.work).map(\.startedBy) == [nil, nil])
  }

  @Test("what is connected in a part reads, though the part has ended in the closure of another one")
  func endedPart() {
    let store = CornerStore(Corner(part: Piece(id: 1), rows: Corner.rows(0..<1)), on: .immediate)
    let part = store.connectPart { $0.onAction { _, _ in } }
    let activities = Recorder<String>()
    store.connectRows { [weak store] _, _ in
      part.disconnect()
      activities.append(store?.activity.description ?? "")
    }
    #expect(activities.values.map { $0.contains(#"onAction on \.self?"#) } == [true])
  }

  @Test("a connection that a selector has ended is not listed, also within that turn")
  func endedInSelector() async {
    let store = BoardStore(on: .immediate)
    let ended = store.connect(RecordingComponent<Int>(), to: \.count, named: "ended")
    let names = Recorder<[String]>()
    store.connect(
      when: { [weak store] (board: Board) -> Int? in
        if board.count > 0 {
          ended.disconnect()
          names.append(store?.activity.entries.map(\.connection.name) ?? [])
        }
        return nil
      }, named: "selector", run: { (_: Int, _) in })
    await store.settled()
    store.dispatch(.add(1))
    #expect(names.values == [["selector"]])
  }

  @Test("elements read with their ids; of many, those with work are listed first, and the rest is counted")
  func elements() async throws {
    let gate = Gate()
    let store = CornerStore(Corner(rows: Corner.rows(0..<1000, wanting: [])), on: .immediate)
    store.connectRows { _, row in
      row.connect(PieceEffect { _, _ in await gate.waitIgnoringCancellation() }, named: "rows")
    }
    store.change { rows in for id in [3, 7] { rows.rows[id: id]?.wanted = ["work"] } }
    try await gate.waiters(atLeast: 2)
    try await store.areWaitsOnRecord(2)
    #expect(store.activity.entries.count == 1001)
    #expect(
      Self.lines(store.activity).prefix(6) == [
        #"  rows on \Corner.rows[3]"#, #"    running #1 "work", started by action 1, waits for a gate"#,
        #"  rows on \Corner.rows[7]"#, #"    running #2 "work", started by action 1, waits for a gate"#,
        #"  each on \Corner.rows"#, #"  rows on \Corner.rows[0]"#,
      ])
    #expect(Self.lines(store.activity).last == "  and 981 more, 0 with work")
    store.change { rows in for id in 0..<30 { rows.rows[id: id]?.wanted = ["work"] } }
    try await gate.waiters(atLeast: 30)
    let lines = Self.lines(store.activity)
    #expect(lines.count == 41)
    #expect(lines.last == "  and 981 more, 10 with work")
    await store.settled(opening: gate)
  }

  @Test("of many pieces of work those in progress are listed first, and the others counted")
  func work() async throws {
    let gate = Gate()
    let store = BoardStore(on: .immediate)
    store.connect(
      JobEffect { job, _ in if job.value > 0 { await gate.waitIgnoringCancellation() } }, named: "jobs")
    store.dispatch(
      .askOnly(Set((1...100).map { Job("waits", $0) } + (1...20).map { Job("ends \($0)") })))
    try await gate.waiters(atLeast: 100)
    try await eventually { store.activity.entries[0].work.count { $0.phase == .finished } == 20 }
    let lines = Self.lines(store.activity)
    #expect(store.activity.entries[0].work.count == 120)
    #expect(lines.count == 22)
    #expect(lines.dropFirst().prefix(20).allSatisfy { $0.hasPrefix("    running") })
    #expect(lines.last == "    and 100 more")
    await store.settled(opening: gate)
  }

  @Test("R4: an action that was taken from the mailbox and not reduced counts as waiting", .blocksThreads)
  func waiting() async throws {
    let held = try await HeldDrain()
    try await held.change { letGo in
      #expect(held.store.activity.reduced == 1)
      #expect(held.store.activity.waiting == 1)
      letGo()
    }
    #expect(held.store.activity.waiting == 0)
  }
}
