import MillraceEffects
import MillraceSystem
import Testing

@testable import linkcheck

@Suite("The status")
struct StatusTests {
  private func status(_ counts: Status.Counts? = nil, notices: [String] = [], isOver: Bool = false)
    -> Status.State
  {
    var state = Status.State()
    if let counts { state.show(counts) }
    for notice in notices { state.tell(notice) }
    if isOver { state.end() }
    return state
  }

  @Test("what is shown is the counts, as far as there are any, and the notices")
  func progress() {
    #expect(status().progress == ProgressStatus())
    let counts = Status.Counts(checked: 3, known: 4, broken: 1, saved: 2)
    let progress = status(counts, notices: ["a", "b"], isOver: true).progress
    #expect(progress.text == "3 of 4 checked, 2 saved, 1 broken")
    #expect(progress.fraction == 0.75)
    #expect(progress.notices == ["a", "b"])
    #expect(progress.isOver)
    #expect(status(Status.Counts()).progress.fraction == 0)
    #expect(Status.Counts(checked: 1, known: 2).line == "1 of 2 checked")
  }

  @Test("every target has a progress file of its own, with a name that a file can have")
  func progressNames() {
    let targets = [
      "http://a/", "http://a/b", "http://a-b", "file:///a/ü/", String(repeating: "x", count: 900),
    ]
    let names = targets.map { ProgressFile.name(for: $0) }
    #expect(Set(names).count == targets.count)
    for name in names { #expect(name.utf8.count < 100 && !name.contains("/")) }
  }
}
