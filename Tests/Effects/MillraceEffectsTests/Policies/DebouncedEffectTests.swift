import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct DebouncedEffectTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of requests that each wait for their own time")
  func byRequest() {
    // Capital letters wait for three seconds, small ones for one.
    Timeline(asks: "a--B-c-D----", begins: "-a----c---D-", sends: "-a----c---D-").check(ScriptedWork()) {
      $0.debounced(for: { .seconds($0.isUppercase ? 3 : 1) }, clock: $0.clock)
    }
    Timeline(asks: "a--B-c-D----", begins: "-a----c---D-", sends: "-a----c---D-").check(ScriptedFeed()) {
      $0.debounced(for: { .seconds($0.isUppercase ? 3 : 1) }, clock: $0.clock)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of values with a shorter quiet time than the value before, which they do not wait for")
  func shorterThanBefore() {
    // Capital letters wait for five seconds, small ones for one, digits for none.
    let quiet = { @Sendable (value: Character) -> Duration in
      .seconds(value.isNumber ? 0 : value.isUppercase ? 5 : 1)
    }
    let pictures = [
      Timeline(asks: "A-b------", begins: "---b-----", sends: "---b-----"),
      Timeline(asks: "A-1------", begins: "--1------", sends: "--1------"),
      Timeline(asks: "AB-1C------", begins: "---1-----C", sends: "---1-----C"),
      Timeline(asks: "A-bC-------", begins: "---b----C--", sends: "---b----C--"),
    ]
    for picture in pictures {
      picture.check(ScriptedWork()) { $0.debounced(for: quiet, clock: $0.clock) }
      picture.check(ScriptedFeed()) { $0.debounced(for: quiet, clock: $0.clock) }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of requests that each wait for their own time, with a leading edge and a longest wait")
  func byRequestInBursts() {
    // Capital letters wait for five seconds, small ones for two, and none for longer than four.
    Timeline(asks: "abC------d-----", begins: "a----C---d-----", sends: "a----C---d-----").check(
      ScriptedWork()
    ) {
      $0.debounced(
        for: { .seconds($0.isUppercase ? 5 : 2) }, leading: true, atMost: .seconds(4), clock: $0.clock)
    }
    Timeline(asks: "ab-------", begins: "a--b-----", sends: "a--b-----").check(ScriptedFeed()) {
      $0.debounced(
        for: { .seconds($0.isUppercase ? 5 : 2) }, leading: true, atMost: .seconds(4), clock: $0.clock)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of debounced requests")
  func timelines() {
    // Only what has stayed for two seconds begins.
    Timeline(
      asks: "abc-------",
      begins: "----c-----",
      sends: "-----c----"
    ).check(ScriptedWork(takes: 1)) { $0.debounced(for: .seconds(2), clock: $0.clock) }

    // What leaves before its time never begins; what comes back waits anew.
    Timeline(
      asks: "a.a---.a.-",
      begins: "----a-----",
      sends: "----a-----"
    ).check(ScriptedWork()) { $0.debounced(for: .seconds(2), clock: $0.clock) }

    // Requests side by side wait each for itself.
    Timeline(
      asks: "a[ab]------",
      begins: "---ab----",
      sends: "---ab----"
    ).check(ScriptedWork()) { $0.debounced(for: .seconds(3), clock: $0.clock) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines with a leading edge")
  func leading() {
    // The first of a burst begins at once, the last of it when it has stayed.
    Timeline(
      asks: "abc-----d----",
      begins: "a---c---d----",
      sends: "a---c---d----"
    ).check(ScriptedWork()) { $0.debounced(for: .seconds(2), leading: true, clock: $0.clock) }

    // A burst of one is over with its beginning. One that comes just when the quiet time is over begins another.
    Timeline(
      asks: "a-b-c--d---",
      begins: "a-b-c--d---",
      sends: "a-b-c--d---"
    ).check(ScriptedWork()) { $0.debounced(for: .seconds(2), leading: true, clock: $0.clock) }

    // A request that leaves belongs to its burst all the same, and never begins if it was waiting.
    Timeline(
      asks: "ab.---c----",
      begins: "a-----c----",
      sends: "a-----c----"
    ).check(ScriptedWork()) { $0.debounced(for: .seconds(3), leading: true, clock: $0.clock) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines with a longest wait")
  func longest() {
    // Requests that keep changing begin all the same: the newest, that long after the first that waits.
    Timeline(
      asks: "abcdefgh---",
      begins: "---c--f--h-",
      sends: "---c--f--h-"
    ).check(ScriptedWork()) { $0.debounced(for: .seconds(2), atMost: .seconds(3), clock: $0.clock) }

    // Counted from the first that waits, not from the leading one.
    Timeline(
      asks: "abcdefghij-----",
      begins: "a---d--g--j---",
      sends: "a---d--g--j---"
    ).check(ScriptedWork()) {
      $0.debounced(for: .seconds(2), leading: true, atMost: .seconds(3), clock: $0.clock)
    }

    // What has left long ago does not count.
    Timeline(
      asks: "a.-----bcd--",
      begins: "---------c-d-",
      sends: "---------c-d-"
    ).check(ScriptedWork()) { $0.debounced(for: .seconds(3), atMost: .seconds(2), clock: $0.clock) }

    // A longest wait of nothing debounces nothing.
    Timeline(
      asks: "abc--",
      begins: "abc--",
      sends: "abc--"
    ).check(ScriptedWork()) { $0.debounced(for: .seconds(3), atMost: .zero, clock: $0.clock) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of values that are handed over with a leading edge and a longest wait")
  func handedOverAtOnce() {
    Timeline(
      asks: "abcdefg-----",
      begins: "a---d--g----",
      sends: "a---d--g----"
    ).check(ScriptedFeed()) {
      $0.debounced(for: .seconds(2), leading: true, atMost: .seconds(3), clock: $0.clock)
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of debounced values that are handed over")
  func handedOver() {
    // The run begins with the first value that stays, and gets those that stay later; when it has ended, it begins anew.
    Timeline(
      asks: "ab---cd---z----a---",
      begins: "---b----d---z----a-",
      sends: "---b----d---z----a-"
    ).check(ScriptedFeed()) { $0.debounced(for: .seconds(2), clock: $0.clock) }

    // A run that leaves the state while a value waits does not get it.
    Timeline(
      asks: "a---b.-----",
      begins: "--a--------",
      sends: "--a--------"
    ).check(ScriptedFeed()) { $0.debounced(for: .seconds(2), clock: $0.clock) }

    // The failure of the run ends it, whatever still waits.
    Timeline(
      asks: "a---b------",
      begins: "--a--------",
      sends: "-----A-----"
    ).check(ScriptedFeed(failing: [1], takes: 3)) { $0.debounced(for: .seconds(2), clock: $0.clock) }
  }
}
