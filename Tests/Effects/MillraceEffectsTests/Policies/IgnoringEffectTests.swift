import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct IgnoringEffectTests {
  @Test("timelines of requests of which the leading one is taken")
  func timelines() {
    // What comes while a run goes on is ignored, and is not served later.
    ScriptedWork(takes: 3).plays("abc----d---", begins: "a------d", sends: "---a------d") {
      $0.ignoringWhileRunning()
    }

    // What was ignored last counts as finished; what came before it is run anew when it comes back.
    ScriptedWork(takes: 2).plays("ab--ba-----", begins: "a----a", sends: "--a----a") {
      $0.ignoringWhileRunning()
    }

    // A run is stopped when nothing is asked for, and a failure ends it.
    ScriptedWork(failing: [2], takes: 3).plays("ab.--cd-e---", begins: "a----c--e", sends: "--------C--e") {
      $0.ignoringWhileRunning()
    }
    ScriptedWork(failing: [1], takes: 2).plays("ab-----", begins: "a", sends: "--A") {
      $0.ignoringWhileRunning()
    }
  }

  @Test("each key has its own leading request")
  func keys() {
    ScriptedWork(takes: 3).plays("a[aB][bB]-----", begins: "aB", sends: "---aB") {
      $0.ignoringWhileRunning(per: \.isUppercase)
    }
  }

  @Test("policies around it leave the leading request alone, and it takes one value of a feed")
  func around() {
    ScriptedWork(takes: 1).plays("ab---c------", begins: "--a----c", sends: "---a----c") {
      $0.ignoringWhileRunning().delayed(by: .seconds(2), clock: $0.clock)
    }
    ScriptedFeed().plays("z-ab--z-", begins: "z-ab--z") {
      $0.ignoringWhileRunning().retried(times: 1, clock: $0.clock) { _, _ in "2" }
    }
  }
}
