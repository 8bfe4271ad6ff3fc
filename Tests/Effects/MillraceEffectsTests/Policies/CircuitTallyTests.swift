import TestSupport
import Testing

@testable import MillraceEffects

@Suite struct CircuitTallyTests {
  private func isTooBad(_ outcomes: String, rate: Double, window: Int, minimum: Int) -> Bool {
    var tally = CircuitTally(failureRate: rate, ofLast: window, minimum: minimum)
    for outcome in outcomes { tally.ended(failed: outcome == "x") }
    return tally.isTooBad
  }

  @Test("a rate is that of the last runs, and counts once there are enough")
  func rate() {
    #expect(!isTooBad("xx", rate: 0.5, window: 4, minimum: 3))
    #expect(isTooBad("xx.", rate: 0.5, window: 4, minimum: 3))
    #expect(!isTooBad("x..", rate: 0.5, window: 4, minimum: 3))
    #expect(isTooBad("x..x", rate: 0.5, window: 4, minimum: 3))
    #expect(!isTooBad("xx...", rate: 0.5, window: 4, minimum: 3))
    #expect(isTooBad("........xx", rate: 0.5, window: 4, minimum: 3))
    #expect(!isTooBad("xx..........", rate: 0.5, window: 4, minimum: 3))
  }

  @Test(
    "a rate of nothing needs a failure, one of more than all is never reached, and other nonsense is bounded")
  func nonsense() {
    #expect(!isTooBad("....", rate: 0, window: 4, minimum: 1))
    #expect(isTooBad("...x", rate: 0, window: 4, minimum: 1))
    #expect(isTooBad("...x", rate: -1, window: 4, minimum: 1))
    #expect(!isTooBad("xxxx", rate: 1.1, window: 4, minimum: 1))
    #expect(!isTooBad("xxxx", rate: .nan, window: 4, minimum: 1))
    #expect(isTooBad("x", rate: 1, window: 0, minimum: 0))
    #expect(isTooBad("xx", rate: 1, window: 2, minimum: .max))
    #expect(!isTooBad("x", rate: 1, window: .max, minimum: .max))
  }

  @Test("of two windows with the same outcomes in the same order, both are equal, wherever they begin")
  func equality() {
    func tally(_ outcomes: String) -> CircuitTally {
      var tally = CircuitTally(failureRate: 0.5, ofLast: 3, minimum: 1)
      for outcome in outcomes { tally.ended(failed: outcome == "x") }
      return tally
    }
    #expect(tally("x..") == tally("xx.x.."))
    #expect(tally("x..") == tally(".x.."))
    #expect(Set([tally("x.."), tally(".x.."), tally("..x..")]).count == 1)
    #expect(tally("x..") != tally(".x."))
    #expect(tally("x..") != tally("x."))
  }

  @Test("a share that is exactly the rate is too much, whatever the rate and the window")
  func exactShare() {
    for size in 1...200 {
      for failures in 1...size {
        // As somebody writes it: seven of a hundred is 0.07.
        let rate = Double("\(Double(failures) / Double(size))") ?? 0
        let runs = String(repeating: ".", count: size - failures) + String(repeating: "x", count: failures)
        #expect(isTooBad(runs, rate: rate, window: size, minimum: size))
        #expect(!isTooBad(runs, rate: rate.nextUp, window: size, minimum: size))
      }
    }
  }

  @Test("the window gives what counting its outcomes again would")
  func model() {
    var random = SeededGenerator(seed: 7)
    for _ in 1...200 {
      let (window, minimum) = (Int.random(in: 1...9, using: &random), Int.random(in: 1...9, using: &random))
      let rate = Double(Int.random(in: 1...4, using: &random)) / 4
      var tally = CircuitTally(failureRate: rate, ofLast: window, minimum: minimum)
      var outcomes: [Bool] = []
      for _ in 1...40 {
        outcomes.append(Bool.random(using: &random))
        tally.ended(failed: outcomes.last == true)
        let last = outcomes.suffix(window)
        let failures = last.count { $0 }
        let isTooBad =
          failures > 0 && last.count >= min(minimum, window) && Double(failures) / Double(last.count) >= rate
        #expect(tally.isTooBad == isTooBad)
      }
    }
  }
}
