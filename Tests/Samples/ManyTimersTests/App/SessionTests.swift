import MillraceTesting
import Testing

@testable import manytimers

@Suite("Sessions without a terminal")
struct SessionTests {
  @Test("the list, word for word")
  func list() async throws {
    let lines = Recorder<String>()
    try await PlainSession { lines.append($0) }.run()
    #expect(
      lines.values == [
        "key 1", "key 2", "key c",
        "after 5 ticks", "  1  >    0.5 s", "  2  >    0.5 s", "  c  >    0.5 s",
        "key 2",
        "after 7 ticks", "  1  >    1.2 s", "  2  .    0.5 s", "  c  >    1.2 s",
        "key 2", "key 1",
        "after 3 ticks", "  1  .    1.2 s", "  2  >    0.8 s", "  c  >    1.5 s",
        "the end: clean",
      ])
  }

  @Test("the documents, word for word")
  func documents() async {
    let lines = Recorder<String>()
    await DocumentSession.run { lines.append($0) }
    #expect(
      lines.values == [
        "opened and started draft", "opened and started letter", "opened and started report",
        "stopped letter",
        "draft: >    0.1 s", "letter: .    0.0 s", "report: >    0.1 s",
        "closed draft: clean", "  what is connected and runs: 0", "  the store itself: gone",
        "  asleep on the clock: 1",
        "opened draft again: .    0.0 s",
        "closed all, asleep on the clock: 0",
      ])
  }
}
