import MillraceStorage
import Testing

@Suite struct InterruptionsTests {
  private typealias Effect = LedgerEffect<String>
  private let effect = Effect(Ledger<String>(at: "/dev/null/nothing"))
  private var interruptions = Interruptions<String>()

  @Test("the ledger is asked once what was interrupted")
  mutating func opened() {
    #expect(effect.requests(in: interruptions) == [.open(attempt: 1)])
    interruptions.reduce(.interrupted("work", key: "a"))
    #expect(interruptions.undecided == ["a": "work"])
    #expect(!interruptions.isKnown)
    interruptions.reduce(.opened(damaged: []))
    #expect(interruptions.isKnown)
    #expect(effect.requests(in: interruptions).isEmpty)
  }

  @Test("what is given up is forgotten by the ledger; what was decided otherwise is not")
  mutating func decided() {
    for key in ["a", "b", "c"] as [LedgerKey] { interruptions.reduce(.interrupted("work", key: key)) }
    interruptions.reduce(.opened(damaged: []))
    interruptions.decided("a")
    interruptions.giveUp("b")
    #expect(interruptions.undecided == ["c": "work"])
    #expect(effect.requests(in: interruptions) == [.forget(key: "b", attempt: 1)])
    interruptions.reduce(.forgotten(key: "b"))
    #expect(effect.requests(in: interruptions).isEmpty)
  }

  @Test("a failure stops the asking until it is retried")
  mutating func failed() {
    interruptions.retry()
    #expect(effect.requests(in: interruptions) == [.open(attempt: 1)])
    interruptions.reduce(effect.action(for: .locked("x"), of: .open(attempt: 1)))
    #expect(interruptions.failure == .locked("x"))
    #expect(effect.requests(in: interruptions).isEmpty)
    interruptions.retry()
    #expect(effect.requests(in: interruptions) == [.open(attempt: 2)])
  }
}
