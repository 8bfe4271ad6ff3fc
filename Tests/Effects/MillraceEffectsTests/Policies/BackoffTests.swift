import MillraceEffects
import Testing

@Suite struct BackoffTests {
  @Test("delays grow by the factor up to the cap, with none before the first attempt")
  func growth() {
    let backoff = Backoff(first: .seconds(1), factor: 3, cap: .seconds(20), jitter: 0)
    #expect((0...6).map { backoff.delay(before: $0) } == [0, 0, 1, 3, 9, 20, 20].map { .seconds($0) })
  }

  @Test("no attempt is too late for the arithmetic", arguments: [1_000, 1 << 40, Int.max])
  func late(attempt: Int) {
    #expect(Backoff(cap: .seconds(30), jitter: 0).delay(before: attempt) == .seconds(30))
    #expect(
      Backoff(first: .seconds(2), factor: 1, cap: .seconds(30), jitter: 0).delay(before: attempt)
        == .seconds(2))
  }

  @Test("values that make no sense give delays from zero to the cap")
  func nonsense() {
    for factor in [-1, 0, .nan, .infinity, 1e300] {
      for jitter in [-1, 0.5, 7, .nan, .infinity] {
        for first in [-1, 0, 1, 1e12] {
          let backoff = Backoff(
            first: .seconds(first), factor: factor, cap: .seconds(60), jitter: jitter, seed: 3)
          for attempt in [Int.min, -1, 0, 1, 2, 3, 100, .max] {
            let delay = backoff.delay(before: attempt)
            #expect(delay >= .zero && delay <= .seconds(60), "\(backoff) \(attempt)")
          }
        }
      }
    }
    #expect(Backoff(cap: .seconds(-1), jitter: 0).delay(before: 5) == .zero)
  }

  @Test("jitter takes away at most its share, and depends on nothing but the seed and the attempt")
  func jitter() {
    let backoff = Backoff(first: .seconds(8), factor: 1, cap: .seconds(8), jitter: 0.25, seed: 42)
    let delays = (2...200).map { backoff.delay(before: $0) }
    #expect(delays.allSatisfy { $0 >= .seconds(6) && $0 <= .seconds(8) })
    #expect(Set(delays).count > 190)
    #expect(delays == (2...200).map { backoff.delay(before: $0) })
    var other = backoff
    other.seed = 43
    #expect(delays != (2...200).map { other.delay(before: $0) })
  }

  @Test("without a seed, delays are spread, and equal backoffs give equal delays")
  func spread() {
    let backoff = Backoff(first: .seconds(8), factor: 1, cap: .seconds(8))
    let delays = (2...200).map { backoff.delay(before: $0) }
    #expect(Set(delays).count > 190)
    #expect(delays.allSatisfy { $0 >= .seconds(4) && $0 <= .seconds(8) })
    let equal = Backoff(first: .seconds(8), factor: 1, cap: .seconds(8))
    #expect(backoff == equal)
    #expect((2...200).map { equal.delay(before: $0) } == delays)
    #expect(
      delays
        != (2...200).map {
          Backoff(first: .seconds(8), factor: 1, cap: .seconds(8), seed: 0).delay(before: $0)
        })
  }

  @Test("without a seed, different pieces of work have different delays; with one, the same")
  func work() {
    var backoff = Backoff(first: .seconds(8))
    #expect(Set((1...100).map { backoff.delay(before: 2, of: $0) }).count > 95)
    #expect(backoff.delay(before: 2, of: "a") == backoff.delay(before: 2, of: "a"))
    backoff.seed = 1
    #expect(Set((1...100).map { backoff.delay(before: 2, of: $0) }) == [backoff.delay(before: 2)])
  }

  @Test("a delay that is asked for makes the wait at least as long, and jitter then makes it longer")
  func atLeast() {
    var backoff = Backoff(first: .seconds(4), jitter: 0)
    #expect(backoff.delay(before: 2, atLeast: nil) == .seconds(4))
    #expect(backoff.delay(before: 2, atLeast: .seconds(3)) == .seconds(4))
    #expect(backoff.delay(before: 2, atLeast: .seconds(7)) == .seconds(7))
    #expect(backoff.delay(before: 2, atLeast: .seconds(-7)) == .seconds(4))
    #expect(backoff.delay(before: 1, atLeast: .seconds(7)) == .seconds(7))
    #expect(backoff.delay(before: 2, atLeast: .seconds(Int64.max)) == TimerLimits.longestWait)
    backoff.jitter = 0.5
    let delays = (1...100).map { (seed: UInt64) -> Duration in
      backoff.seed = seed
      return backoff.delay(before: 2, atLeast: .seconds(7))
    }
    #expect(delays.allSatisfy { $0 >= .seconds(7) && $0 <= .seconds(9) })
    #expect(Set(delays).count > 95)
  }

  @Test("a given random number decides how much of the jitter is taken")
  func injected() {
    let backoff = Backoff(first: .seconds(8), jitter: 0.5)
    #expect(backoff.delay(before: 2, random: 0) == .seconds(8))
    #expect(backoff.delay(before: 2, random: 1) == .seconds(4))
  }
}
