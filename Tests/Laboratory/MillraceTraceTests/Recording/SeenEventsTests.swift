import Testing

@testable import Millrace
@testable import MillraceTrace

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
      case .resumed(let lost, _, _, _): "lost \(lost)"
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
    seen.snapshot("state", after: Self.turn(2))
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
      .resumed(lost: 2, details: 0, "state", WitnessedMoment(sequence: 4, connections: [], runs: [])))
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
    seen.snapshot("state", after: Self.turn(1))
    #expect(!seen.reduced("b", Self.turn(2)).snapshot)
  }
}
