import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct IgnoringEffectTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("timelines of requests of which the leading one is taken")
  func timelines() {
    // What comes while a run goes on is ignored, and is not served later.
    Timeline(
      asks: "abc----d---",
      begins: "a------d---",
      sends: "---a------d"
    ).check(ScriptedWork(takes: 3)) { $0.ignoringWhileRunning() }

    // What was ignored last counts as finished; what came before it is run anew when it comes back.
    Timeline(
      asks: "ab--ba-----",
      begins: "a----a-----",
      sends: "--a----a---"
    ).check(ScriptedWork(takes: 2)) { $0.ignoringWhileRunning() }

    // A run is stopped when nothing is asked for, and a failure ends it.
    Timeline(
      asks: "ab.--cd-e---",
      begins: "a----c--e--",
      sends: "--------C--e"
    ).check(ScriptedWork(failing: [2], takes: 3)) { $0.ignoringWhileRunning() }
    Timeline(
      asks: "ab-----",
      begins: "a------",
      sends: "--A----"
    ).check(ScriptedWork(failing: [1], takes: 2)) { $0.ignoringWhileRunning() }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("each key has its own leading request")
  func keys() {
    Timeline(
      asks: "a[aB][bB]-----",
      begins: "aB--------",
      sends: "---aB-----"
    ).check(ScriptedWork(takes: 3)) { $0.ignoringWhileRunning(per: \.isUppercase) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test("policies around it leave the leading request alone, and it takes one value of a feed")
  func around() {
    Timeline(
      asks: "ab---c------",
      begins: "--a----c----",
      sends: "---a----c---"
    ).check(ScriptedWork(takes: 1)) { $0.ignoringWhileRunning().delayed(by: .seconds(2), clock: $0.clock) }
    Timeline(
      asks: "z-ab--z-",
      begins: "z-ab--z-",
      sends: "z-ab--z-"
    ).check(ScriptedFeed()) { $0.ignoringWhileRunning().retried(times: 1, clock: $0.clock) { _, _ in "2" } }
  }

  @Test("in a store, what comes while a run goes on is ignored and is not run later")
  func inAStore() async throws {
    let work = WorkEffect()
    let store = Store<Set<Int>, Set<Int>>(initialState: [1], on: .immediate) { $0 = $1 }
    let sent = Recorder<WorkEffect.Action>()
    store.connect(
      work.ignoringWhileRunning().mapped { action -> Set<Int> in
        sent.append(action)
        return [2]
      }, to: \.self)
    try await work.begun.values(atLeast: 1)
    store.dispatch([2])
    work.gate.open()
    await store.settled()
    #expect(work.begun.values == [1])
    #expect(sent.values == [.done(1)])
    store.dispatch([1])
    await store.settled()
    #expect(work.begun.values == [1, 1])
    _ = await store.shutdown()
  }
}
