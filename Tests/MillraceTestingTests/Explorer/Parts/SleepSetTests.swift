import Testing

@testable import MillraceTesting

/// Which moves sleep, as values.
@Suite struct SleepSetTests {
  private func set(_ moves: (part: Int, index: Int)...) -> SleepSet {
    moves.reduce(into: SleepSet(parts: 3)) { $0.insert(PartMove(part: $1.part, index: $1.index)) }
  }

  @Test func afterAMoveTheMovesOfOtherPartsSleep() {
    let asleep = set((0, 0), (0, 63), (1, 2), (2, 1))
    #expect(asleep.after(1) == set((0, 0), (0, 63), (2, 1)))
    #expect(asleep.after(nil) == set())
    #expect(asleep.contains(PartMove(part: 0, index: 63)))
    #expect(!asleep.contains(PartMove(part: 1, index: 0)))
    #expect(
      asleep.moves == [(0, 0), (0, 63), (1, 2), (2, 1)].map { PartMove(part: $0.0, index: $0.1) })
  }

  @Test func aMoveFromThe65thOnIsAlwaysAwake() {
    #expect(set((0, 64)) == set())
    #expect(!set((0, 0)).contains(PartMove(part: 0, index: 64)))
  }

  @Test func whatSleepsAfterEachShortestWaySleepsInTheState() {
    var sets = SleepSets(parts: 3)
    sets.reached(1, set((0, 0), (1, 1)))
    sets.reached(2, set((2, 0)))
    sets.reached(1, set((1, 1), (2, 2)))
    #expect(sets[0] == set())
    #expect(sets[1] == set((1, 1)))
    #expect(sets[2] == set((2, 0)))
  }
}
