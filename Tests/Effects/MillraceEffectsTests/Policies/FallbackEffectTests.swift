import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite struct FallbackEffectTests {
  /// Answers at once.
  private struct Cache: EffectComponent {
    func requests(in letters: Set<Character>) -> Set<Character> { letters }
    func run(_ letter: Character, send: Send<Character>) async { await send("*") }
  }

  @Test("timelines of requests that another effect serves after a failure")
  func timelines() {
    ScriptedWork(failing: [1], takes: 2).plays("a--b-----", begins: "a--b", sends: "--*--b") {
      $0.fallingBack(to: Cache())
    }
    // The same effect again, with the failure of the second.
    ScriptedWork(failing: [1], takes: 2).plays("a-----", begins: "a-a", sends: "----a") {
      $0.fallingBack(to: $0)
    }
    ScriptedWork(failing: [1, 2], takes: 2).plays("a-----", begins: "a-a", sends: "----A") {
      $0.fallingBack(to: $0)
    }
    // A failure that is not covered is that of the run; one that was stopped asks nobody.
    ScriptedWork(failing: [1, 2], takes: 2).plays("a--b---", begins: "a--b", sends: "--A--*") {
      $0.fallingBack(to: Cache(), when: { _, letter in letter == "b" })
    }
    ScriptedWork(failing: [1], takes: 2).plays("a.-----", begins: "a", sends: "") {
      $0.fallingBack(to: Cache())
    }
    // Around retries it comes after the last, inside them before each.
    ScriptedWork(failing: [1, 2]).plays("a-----", begins: "[aa]", sends: "[*2]") { work in
      work.retried(times: 1, by: Backoff(first: .zero), clock: work.clock, action: { _, _ in "2" })
        .fallingBack(to: Cache())
    }
  }

  @Test(
    "a fallback gets the newest value at the time of the failure, and later values by hand-over")
  func handedOver() {
    ScriptedFeed(failing: [1], takes: 2).plays("a-bc-----", begins: "a-a-c", sends: "----a-c") {
      $0.fallingBack(to: $0)
    }
  }

  @Test("whether the other effect is asked depends on the newest value, which it serves")
  func newestDecides() async throws {
    struct Feed: HandoverEffectComponent {
      typealias Action = Int
      struct Failed: Error {}
      func id(of request: Int) -> Bool { true }
      func requests(in isAsked: Bool) -> Set<Int> { [] }
      func run(following requests: RequestUpdates<Int>, send: Send<Int>) async throws(Failed) {
        for await request in requests where request == 2 { throw Failed() }
      }
      func action(for failure: Failed, of request: Int) -> Int { -request }
    }
    struct Other: EffectComponent {
      func requests(in isAsked: Bool) -> Set<Int> { [] }
      func run(_ request: Int, send: Send<Int>) async { await send(request) }
    }
    let (requests, sent) = (RequestUpdates(1), Recorder<Int>())
    requests.offer(2)
    try await Feed().fallingBack(to: Other(), when: { _, request in request == 2 })
      .run(requests, send: .recording(into: sent))
    #expect(sent.values == [2])
  }
}
