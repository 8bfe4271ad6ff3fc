import Foundation
import MillraceTesting
import Testing

@testable import MillraceExplorer

/// Values are defined here by the expressions that are printed for them, so that these compile.
@Suite("SourceText") struct SourceTextTests {
  private struct Meters: Hashable, SwiftSourceConvertible {
    var value: Double
    init(_ value: Double) { self.value = value }
    var source: String { "Meters(\(value))" }
  }

  private struct Key: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    let text: String
    init(stringLiteral text: String) { self.text = text }
    var description: String { text }
  }

  /// What a literal makes of it is another value.
  private struct Trimmed: Hashable, ExpressibleByIntegerLiteral {
    var number: Int
    init(number: Int) { self.number = number }
    init(integerLiteral number: Int) { self.number = number % 10 }
  }

  private enum Vote: Hashable, CaseIterable, CustomStringConvertible {
    case yes, no
    var description: String { "a vote" }
  }

  private struct Optionals: Hashable { var one: Int??, two: Int??, three: Int??, deep: Int??? }

  private struct Known: Hashable {
    var data: Data, amount: Decimal, date: Date, url: URL, id: UUID
  }

  private struct Texts: Hashable {
    var text: String, part: Substring, letter: Character, names: Range<String>, pages: ClosedRange<Int>
  }

  @Test("an optional that contains nil is not written as nil") func optionals() {
    let value = Optionals(one: nil, two: .some(nil), three: 1, deep: .some(.some(nil)))
    #expect(
      name(SourceText.value(value))
        == "Optionals(one: nil, two: .some(nil), three: 1, deep: .some(.some(nil)))")
    let untyped: [Any] = [Int?.none as Any, Optional(1) as Any, Optional(Int?.none) as Any]
    #expect(untyped.map { SourceText.value($0) } == ["Int?.none", "Optional(1)", "Optional(Int?.none)"])
  }

  @Test("data, decimal numbers, dates and addresses are written by their initializers") func foundation()
    throws
  {
    let value = Known(
      data: Data([0, 255]), amount: try #require(Decimal(string: "-1.25")),
      date: Date(timeIntervalSinceReferenceDate: 1.5), url: try #require(URL(string: "https://a.org")),
      id: try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001")))
    #expect(
      name(SourceText.value(value)) == #"""
        Known(data: Data([0, 255]), amount: Decimal(string: "-1.25")!, date: Date(timeIntervalSinceReferenceDate: 1.5), \#
        url: URL(string: "https://a.org")!, id: UUID(uuidString: "00000000-0000-0000-0000-000000000001")!)
        """#)
    #expect(SourceText.value(Decimal.nan) == "Decimal.nan" && SourceText.value(Data()) == "Data([])")
  }

  @Test("texts show every character, and bounds of ranges are texts too") func texts() {
    let value = Texts(text: "a\u{A0}\"", part: "b", letter: "é", names: "a"..<"b", pages: 1...2)
    #expect(
      name(SourceText.value(value))
        == #"Texts(text: "a\u{A0}\"", part: "b", letter: "é", names: "a"..<"b", pages: 1...2)"#)
    #expect(SourceText.value(Substring("b")) == #""b" as Substring"#)
    #expect(SourceText.value(Character("b")) == #""b" as Character"#)
    #expect(SourceText.value(Unicode.Scalar("b")) == #""b" as Unicode.Scalar"#)
    #expect(SourceText.value(["b", "a", "c"] as Set) == #"["a", "b", "c"] as Set<String>"#)
  }

  @Test("a struct that a literal makes is written by it, one that says how it is made in its words")
  func initializers() {
    #expect(SourceText.value(Meters(2)) == "Meters(2.0)")
    #expect(SourceText.value([Meters(2)], as: [Meters].self) == "[Meters(2.0)]")
    #expect(SourceText.value("p" as Key, as: Key.self) == #""p""#)
    #expect(name(SourceText.value("p" as Key)) == #""p" as Key"#)
    #expect(name(SourceText.value(Trimmed(number: 12), as: Trimmed.self)) == "Trimmed(number: 12)")
    #expect(SourceText.value(Trimmed(number: 2), as: Trimmed.self) == "2")
  }

  @Test("a case that describes itself is found in the list of all cases") func cases() {
    #expect(name(SourceText.value(Vote.no)) == "Vote.allCases[1]")
  }

  /// Without the name of this suite.
  private func name(_ text: String) -> String { text.replacing("SourceTextTests.", with: "") }
}
