import Millrace
import MillraceStorage
import Testing

@Suite("What is on disk is confirmed") struct RegisterExamples {
  // DurableFirst
  struct Register: Equatable, Sendable {
    var lines = Saving([String]())
    /// The lines that were entered and not confirmed, each with its number.
    var entered: [UInt64: String] = [:]

    mutating func enter(_ line: String) {
      lines.save { $0.append(line) }
      entered[lines.generation] = line
    }

    /// The lines that are on disk, to be confirmed.
    var confirmable: [String] {
      entered.filter { $0.key <= lines.savedGeneration }.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  @Test("a line that is entered during a save is confirmed by the next one")
  func duringASave() throws {
    var register = Register()
    register.lines = Saving(StoredValue(value: [], generation: 1, source: .current), or: [])
    register.enter("milk")
    let first = try #require(register.lines.wanted?.generation)
    register.lines.reduce(.began(generation: first))
    register.enter("tea")
    #expect(register.confirmable.isEmpty)
    // As the page warns: what is asked for is the save that has begun.
    #expect(register.lines.wanted?.generation == first)
    register.lines.reduce(.saved(generation: first))
    #expect(register.confirmable == ["milk"])
    let second = try #require(register.lines.wanted?.generation)
    register.lines.reduce(.began(generation: second))
    register.lines.reduce(.saved(generation: second))
    #expect(register.confirmable == ["milk", "tea"])
  }
}
