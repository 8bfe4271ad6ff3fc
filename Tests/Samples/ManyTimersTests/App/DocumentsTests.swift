import LonelyTimer
import Millrace
import MillraceTesting
import Testing

@testable import manytimers

@Suite("Timers as documents")
struct DocumentsTests {
  private let clock = TestClock()

  @Test("documents are independent: each has a store of its own")
  func independence() async throws {
    let documents = Documents(clock: clock)
    await documents.open("a").send(.toggled)
    let other = await documents.open("b")
    #expect(await documents.open("a").state.isRunning)
    #expect(!other.state.isRunning)
    #expect(await documents.open("b") === other)
    #expect(await documents.names == ["a", "b"])
    for name in ["a", "b"] { await documents.close(name) }
  }

  @Test("nothing is left of a document that is closed, and one of that name begins anew")
  func closing() async throws {
    let documents = Documents(clock: clock)
    await documents.open("a").send(.toggled)
    await documents.open("b").send(.toggled)
    try await clock.sleepers(atLeast: 2)
    let closed = WeakDocument(await documents.open("a"))
    let report = await documents.close("a")
    #expect(report?.isClean == true)
    #expect(closed.document == nil)
    #expect(clock.sleepers.count == 1)
    #expect(await documents.names == ["b"])
    #expect(await !documents.open("a").state.isRunning)
    let none = await documents.close("nothing")
    #expect(none == nil)
    for name in ["a", "b"] { await documents.close(name) }
    #expect(clock.sleepers.isEmpty)
  }

  @Test("a closed document that somebody still holds has nothing connected and accepts nothing")
  func stillHeld() async {
    let documents = Documents(clock: clock)
    let document = await documents.open("a")
    await documents.close("a")
    #expect(document.activity.entries.isEmpty)
    #expect(await document.send(.toggled) == .refused)
  }
}
