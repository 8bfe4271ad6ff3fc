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
    store.dispatch(.ask("late"))
    try await gate.waiters(atLeast: 2)
    #expect(store.activity.entries.flatMap(\.work).map(\.startedBy) == [nil, 3])
    #expect(
      Self.lines(store.activity) == [
        #"  jobs on \.self"#, "    running #1 early, waits for a gate",
        "    running #2 late, started by action 3, waits for a gate",
      ])
    gate.open()
    await store.settled()
    #expect(store.activity.entries.flatMap(\.work).map(\.startedBy) == [nil, nil])
  }

  @Test("elements read with their ids, and many that are alike are one line with their count")
  func elements() async throws {
    let gate = Gate()
    let store = CornerStore(Corner(rows: Corner.rows(0..<1000, wanting: [])), on: .immediate)
    store.connectRows { _, row in
      row.connect(PieceEffect { _, _ in await gate.waitIgnoringCancellation() }, named: "rows")
    }
    store.change { rows in for id in [3, 7] { rows.rows[id: id]?.wanted = ["work"] } }
    try await gate.waiters(atLeast: 2)
    #expect(store.activity.entries.count == 1001)
    #expect(
      Self.lines(store.activity) == [
        #"  each on \Corner.rows"#, #"  rows on \Corner.rows[…], 998 times, without work"#,
        #"  rows on \Corner.rows[3]"#, #"    running #1 "work", started by action 1, waits for a gate"#,
        #"  rows on \Corner.rows[7]"#, #"    running #2 "work", started by action 1, waits for a gate"#,
      ])
    store.change { rows in for id in 0..<20 { rows.rows[id: id]?.wanted = ["work"] } }
    try await gate.waiters(atLeast: 20)
    let lines = Self.lines(store.activity)
    #expect(lines.count == 19)
    #expect(lines.contains(#"  rows on \Corner.rows[…], 12 more with work"#))
    gate.open()
    await store.settled()
  }

  @Test("of many equal pieces of work some are listed, and the others counted by what they do")
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
    #expect(lines.count == 19)
    #expect(lines.suffix(2) == ["    and 92 more running, which wait", "    and 12 more finished"])
    gate.open()
    await store.settled()
  }
}
