import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct DebouncedEffectTests {
  @Test("timelines of debounced requests")
  func timelines() {
    // Only what has stayed for two seconds begins.
    ScriptedWork(takes: 1).plays("abc-------", begins: "----c", sends: "-----c") {
      $0.debounced(for: .seconds(2), clock: $0.clock)
    }
    // What leaves before its time never begins; what comes back waits anew.
    ScriptedWork().plays("a.a---.a.-", begins: "----a") { $0.debounced(for: .seconds(2), clock: $0.clock) }
    // Requests side by side wait each for itself.
    ScriptedWork().plays("a[ab]------", begins: "---ab") { $0.debounced(for: .seconds(3), clock: $0.clock) }
  }

  @Test("timelines of requests and values that each wait for their own time, not for that of the one before")
  func byRequest() {
    // Capital letters wait for five seconds, but D for three, small ones for one, digits for none.
    let quiet = { @Sendable (value: Character) -> Duration in
      .seconds(value.isNumber ? 0 : value == "D" ? 3 : value.isUppercase ? 5 : 1)
    }
    for (asks, begins) in [
      ("a--B-c-D----", "-a----c---D"), ("A-b------", "---b"), ("A-1------", "--1"),
      ("AB-1C------", "---1-----C"), ("A-bC-------", "---b----C"),
    ] {
      ScriptedWork().plays(asks, begins: begins) { $0.debounced(for: quiet, clock: $0.clock) }
      ScriptedFeed().plays(asks, begins: begins) { $0.debounced(for: quiet, clock: $0.clock) }
    }
  }

  @Test("timelines with a leading edge")
  func leading() {
    func check(_ asks: String, begins: String, for seconds: Int = 2) {
      ScriptedWork().plays(asks, begins: begins) {
        $0.debounced(for: .seconds(seconds), leading: true, clock: $0.clock)
      }
    }
    // The first of a burst begins at once, the last of it when it has stayed.
    check("abc-----d----", begins: "a---c---d")
    // A burst of one is over with its beginning. One that comes just when the quiet time is over begins another.
    check("a-b-c--d---", begins: "a-b-c--d")
    // A request that leaves belongs to its burst all the same, and never begins if it was waiting.
    check("ab.---c----", begins: "a-----c", for: 3)
    // A burst is as long as the quiet time of the last request in it.
    ScriptedWork().plays("A---b--C", begins: "A----b-C") {
      $0.debounced(for: { .seconds($0.isUppercase ? 5 : 1) }, leading: true, clock: $0.clock)
    }
  }

  @Test("timelines with a longest wait")
  func longest() {
    // Requests that keep changing begin all the same: the newest, that long after the first that waits.
    ScriptedWork().plays("abcdefgh---", begins: "---c--f--h") {
      $0.debounced(for: .seconds(2), atMost: .seconds(3), clock: $0.clock)
    }
    // Counted from the first that waits, not from the leading one.
    ScriptedWork().plays("abcdefghij-----", begins: "a---d--g--j") {
      $0.debounced(for: .seconds(2), leading: true, atMost: .seconds(3), clock: $0.clock)
    }
    ScriptedFeed().plays("abcdefg-----", begins: "a---d--g") {
      $0.debounced(for: .seconds(2), leading: true, atMost: .seconds(3), clock: $0.clock)
    }
    // What has left long ago does not count.
    ScriptedWork().plays("a.-----bcd--", begins: "---------c-d") {
      $0.debounced(for: .seconds(3), atMost: .seconds(2), clock: $0.clock)
    }
    // Capital letters wait for five seconds, small ones for two, and none for longer than four.
    let quiet = { @Sendable (letter: Character) -> Duration in .seconds(letter.isUppercase ? 5 : 2) }
    ScriptedWork().plays("abC------d-----", begins: "a----C---d") {
      $0.debounced(for: quiet, leading: true, atMost: .seconds(4), clock: $0.clock)
    }
    ScriptedFeed().plays("ab-------", begins: "a--b") {
      $0.debounced(for: quiet, leading: true, atMost: .seconds(4), clock: $0.clock)
    }
  }

  @Test("durations that make no sense count as the nearest that do")
  func nonsense() {
    for longest in [Duration.zero, .seconds(-1)] {
      ScriptedWork().plays("abc--", begins: "abc") {
        $0.debounced(for: .seconds(3), atMost: longest, clock: $0.clock)
      }
    }
    ScriptedWork().plays("abc--", begins: "abc") { $0.debounced(for: .seconds(-1), clock: $0.clock) }
    let never = Duration.seconds(Int64.max)
    ScriptedWork().plays("abc--", begins: "") { $0.debounced(for: never, atMost: never, clock: $0.clock) }
  }

  @Test("timelines of debounced values that are handed over")
  func handedOver() {
    // The run begins with the first value that stays, and gets those that stay later; when it has ended, it begins anew.
    ScriptedFeed().plays("ab---cd---z----a---", begins: "---b----d---z----a") {
      $0.debounced(for: .seconds(2), clock: $0.clock)
    }
    // A run that leaves the state while a value waits does not get it.
    ScriptedFeed().plays("a---b.-----", begins: "--a") { $0.debounced(for: .seconds(2), clock: $0.clock) }
    // The failure of the run ends it, whatever still waits.
    ScriptedFeed(failing: [1], takes: 3).plays("a---b------", begins: "--a", sends: "-----A") {
      $0.debounced(for: .seconds(2), clock: $0.clock)
    }
  }
}
