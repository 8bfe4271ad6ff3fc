import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct DebouncedEffectTests {
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
