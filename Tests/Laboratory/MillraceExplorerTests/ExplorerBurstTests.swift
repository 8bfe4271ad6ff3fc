import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// When a debounced run begins depends on the requests before it, where a burst has a leading one or a longest time.
@Suite struct ExplorerBurstTests {
  private let arrives: @Sendable (String) -> [MillraceExplorer.Outcome<Fetch.Action>] = {
    [.answers(.arrived($0))]
  }

  @Test func aLeadingRequestBeginsAtOnce() {
    let effect = Fetch.FetchEffect().debounced(for: .seconds(3), leading: true)
    let explorer = Fetch.wanting(Fetch.explorer(effect, arrives), "b")
    #expect(
      Fetch.story(explorer, to: "a arrived", "b arrived") == [
        "1. the user sends .want(\"b\")", "2. fetch \"a\" answers .arrived(\"a\")",
        "3. after 3.0 seconds, fetch \"b\" begins to be served", "4. fetch \"b\" answers .arrived(\"b\")",
      ])
    // What comes within the burst is given up before it begins; what comes later leads another one.
    let limited = Fetch.explorer(effect.timingOut(after: .seconds(2), action: { .gaveUp($0) }), arrives)
      .userActions { $0.log == ["a arrived"] && $0.wanted.isEmpty ? [.want("b")] : [] }
    #expect(
      Fetch.logs(limited) == [
        ["a gave up"], ["a arrived"], ["a arrived", "b gave up"], ["a arrived", "b arrived"],
      ])
    let waiting = Fetch.explorer(effect, wanting: ["a", "b"], arrives)
    #expect(
      Fetch.story(waiting, to: "a arrived", "b arrived") == [
        "1. fetch \"a\" answers .arrived(\"a\")", "2. after 3.0 seconds, fetch \"b\" begins to be served",
        "3. fetch \"b\" answers .arrived(\"b\")",
      ])
  }

  @Test func requestsThatWaitForOneBurstAllBegin() {
    let effect = Fetch.FetchEffect().debounced(for: .seconds(3), leading: true)
    let logs = Fetch.logs(Fetch.explorer(effect, wanting: ["a", "b", "c"], arrives))
    // The first one leads. The others begin together, and any may be answered first.
    #expect(logs.contains(["a arrived", "b arrived", "c arrived"]))
    #expect(logs.contains(["c arrived", "b arrived", "a arrived"]))
  }

  @Test func aBurstEndsAfterItsLongestTime() {
    let short = Fetch.FetchEffect().debounced(for: .seconds(3), atMost: .seconds(1))
    #expect(
      Fetch.story(Fetch.explorer(short, arrives), to: "a arrived").first
        == "1. after 1.0 seconds, fetch \"a\" begins to be served")
    let effect = Fetch.FetchEffect().debounced(for: .seconds(3), atMost: .seconds(4))
    let explorer = Fetch.explorer(effect, timer: .seconds(2), arrives).userActions { state in
      guard state.log == ["t rang"] else { return [] }
      return state.wanted.contains("a") ? [.drop("a")] : state.wanted.isEmpty ? [.want("b")] : []
    }
    // Two seconds after the first request of the burst came the second, and four seconds after it the burst is over.
    let story = Fetch.story(explorer, to: "t rang", "b arrived")
    #expect(story.contains("4. after 2.0 seconds, fetch \"b\" begins to be served"), "\(story)")
  }

  @Test func eachRequestOfABurstHasAQuietTimeOfItsOwn() {
    let effect = Fetch.FetchEffect().debounced(
      for: { .seconds($0 == "b" ? 5 : 3) }, leading: true, atMost: .seconds(4))
    let explorer = Fetch.wanting(Fetch.explorer(effect, arrives), "b", "c")
    // "b" waits for as long as a burst may last, which is less than its own time.
    #expect(
      Fetch.story(explorer, to: "a arrived", "b arrived").contains(
        "3. after 4.0 seconds, fetch \"b\" begins to be served"))
    let short = Fetch.FetchEffect().debounced(for: { .seconds($0 == "b" ? 1 : 3) }, leading: true)
    #expect(
      Fetch.story(Fetch.wanting(Fetch.explorer(short, arrives), "b"), to: "a arrived", "b arrived").contains(
        "3. after 1.0 seconds, fetch \"b\" begins to be served"))
  }

  @Test func whatWaitsNoMoreIsForgotten() {
    let effect = Fetch.FetchEffect().debounced(for: .seconds(3), leading: true)
      .timingOut(after: .seconds(2), action: { .gaveUp($0) })
    let report = Fetch.explorer(effect, wanting: ["a", "b"], { _ in [] }, reduce: Fetch.pollingReduce)
      .userActions { state in ["a", "b"].map { state.wanted.contains($0) ? .drop($0) : .want($0) } }
      .explore()
    #expect(report.bounds.isEmpty && report.counts.states == 72, "\(report)")
    let retried = Fetch.retried(
      Fetch.FetchEffect().debounced(for: .seconds(3), leading: true)
        .timingOut(after: .seconds(2), failure: { _ in .offline }), times: 1)
    let again = Fetch.explorer(retried, wanting: ["a", "b"], { _ in [] }, reduce: Fetch.pollingReduce)
      .userActions { state in ["a", "b"].map { state.wanted.contains($0) ? .drop($0) : .want($0) } }
      .explore()
    #expect(again.bounds.isEmpty && again.counts.states == 326, "\(again)")
  }
}
