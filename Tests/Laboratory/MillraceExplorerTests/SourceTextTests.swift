import Foundation
import Millrace
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

/// How printed tests write what they are about.
@Suite struct ExplorerSourceTests {
  private struct Poll<Answer: Hashable & Sendable>: EffectComponent {
    struct Ask: Hashable, Sendable {
      var to: String
    }

    func requests(in state: Search.State) -> Set<Ask> { state.query.isEmpty ? [] : [Ask(to: state.query)] }
    func run(_ request: Ask, send: Send<Search.Action>) async {}
  }

  private enum Vote: Hashable, Sendable { case yes }

  @Test func aTypeWithinAGenericOneIsWrittenWithItsArguments() throws {
    let report = Explorer(initialState: Search.State(), reduce: Search.reduce) { $0.connect(Poll<Vote>()) }
      .userActions { _ in [.queryChanged("a")] }
      .outcomes(of: Poll<Vote>.Ask.self) { _ in [.answers(.arrived(["b"]))] }
      .never("results") { !$0.results.isEmpty }
      .explore()
    let test = try #require(report.counterexamples.first).test
    let ask = #"ExplorerSourceTests.Poll<ExplorerSourceTests.Vote>.Ask(to: "a")"#
    #expect(test.contains(#"store.answer(\#(ask), with: .arrived(["b"]))"#), "\(test)")
  }

  @Test func aTestComparesWhatTellsStatesApart() throws {
    let report = Explorer(
      initialState: Search.State(), comparing: { "\($0.query), \($0.isLoading)" },
      reduce: Search.forgetfulReduce, connect: Search.connect
    )
    .userActions { _ in [.queryChanged("a")] }
    .outcomes(of: String.self) { _ in [.fails(Search.Offline())] }
    .always("no spinner without a request", Self.hasRequest)
    .printingTests(using: "testStore()", comparing: "seen")
    .explore()
    let test = try #require(report.counterexamples.first).test
    #expect(test.contains("let store = testStore()\n"))
    #expect(test.contains(#"#expect(!(seen(store.state) == "a, true" && store.running.isEmpty))"#), "\(test)")
  }

  /// Not a closure that a printed test could repeat.
  private static let hasRequest: @Sendable (Search.State, RunningRequests) -> Bool = { state, running in
    !state.isLoading || !running.isEmpty
  }

  @Test func equalRequestsOfTwoConnectionsAreNamed() throws {
    let report = Explorer(initialState: Search.State(), reduce: Search.reduce) { store in
      store.connect(Search.SearchEffect(), named: "web")
      store.connect(Search.SearchEffect(), named: "library")
    }
    .userActions { _ in [.queryChanged("a")] }
    .outcomes(of: String.self, from: "web") { _ in [] }
    .outcomes(of: String.self, from: "library") { [.answers(.arrived([$0]))] }
    .never("results") { !$0.results.isEmpty }
    .explore()
    let test = try #require(report.counterexamples.first).test
    #expect(
      test.contains(
        #"if store.inProgress(named: "library").contains("a") { store.answer("a", named: "library", with: .arrived(["a"])) }"#
      ), "\(test)")
  }

  @Test func theClosureOfAPropertyIsFoundInItsSource() {
    let text = #"""
      explorer
        .always("one", fileID: "A") { $0 == "}" }  // { not this
        .always("other \"name\"") { state in
          /* a comment */ state.list.contains { $0 == "\(state.first ?? "{")" }
        }
        .never("function", isOver)
      """#
    #expect(PropertySource(of: "always", named: "one", in: text)?.closure == [#"{ $0 == "}" }"#])
    let other = text.split(separator: "\n").dropFirst(2).joined(separator: "\n")
    #expect(
      PropertySource(of: "always", named: "other \"name\"", in: other)?.closure == [
        "{ state in", #"  /* a comment */ state.list.contains { $0 == "\(state.first ?? "{")" }"#, "}",
      ])
    #expect(PropertySource(of: "never", named: "function", in: text) == nil)
    #expect(PropertySource(of: "always", named: "absent", in: text) == nil)
    #expect(PropertySource(of: "always", named: "x", in: "/nowhere", line: 1) == nil)
  }

  @Test(arguments: [
    (#".always("it isn't") { $0 }"#, "it isn't", "{ $0 }"),
    (#".always("one") { !$0 }.always("two") { $0 }"#, "two", "{ $0 }"),
    (#".always("quote") { $0.contains(/"}/) }"#, "quote", #"{ $0.contains(/"}/) }"#),
    (
      ##".always("quote") { state in #/"{/#.matches(state) }"##, "quote",
      ##"{ state in #/"{/#.matches(state) }"##
    ),
    (#".always("all") { $0.reduce(8, (/)) > 1 }"#, "all", "{ $0.reduce(8, (/)) > 1 }"),
    (#".always("half") { a in a / 2 > b / 2 }.never("x") { $0 }"#, "half", "{ a in a / 2 > b / 2 }"),
    (##".always(#"raw "name""#) { $0 == #"}"# }"##, #"raw "name""#, ##"{ $0 == #"}"# }"##),
    (#".always("tab\t\u{e9}") { $0 /* } " */ }"#, "tab\t\u{e9}", #"{ $0 /* } " */ }"#),
    (#".always("n \(1)") { !$0 }.always("n") { $0 }"#, "n", "{ $0 }"),
  ]) func aPropertyIsFoundByItsName(_ text: String, _ name: String, _ closure: String) {
    #expect(PropertySource(of: "always", named: name, in: text)?.closure == [closure])
  }

  /// What a closure uses of the function around it is declared anew, or said.
  @Test func namesFromAroundThePropertyAreDeclaredOrSaid() throws {
    let lines = """
      struct Tests {
        static let most = 5
        struct Phase {}
        func explores(deep: Int) {
          let half = 2
          let limit = half * 2
          var count = 0
          let many = [
            1,
          ]
      """
    let text =
      ".always(\"few\") { state in state.count(of: 1) <= limit + deep + count + many.count + Self.most && state is Phase }"
    let source = try #require(
      PropertySource(
        of: "always", named: "few", in: text, after: lines.split(separator: "\n").map(String.init)))
    #expect(source.constants == ["let half = 2", "let limit = half * 2"])
    #expect(source.names.sorted() == ["Phase", "count", "deep", "many"])
  }

  /// A printed test that is weaker than its property says so.
  @Test func aTestThatComparesAStateSaysSo() throws {
    let explorer = Explorer(
      initialState: Search.State(), reduce: Search.forgetfulReduce, connect: Search.connect
    )
    .userActions { _ in [.queryChanged("a")] }
    .outcomes(of: String.self) { _ in [.fails(Search.Offline())] }
    let function = explorer.always("no spinner without a request", Self.hasRequest).explore()
    let test = try #require(function.counterexamples.first).test
    #expect(
      test.contains("// It is not written as a closure where it is stated, so this states only"), "\(test)")
    let way = explorer.alwaysReachable("rest") { !$0.isLoading }.explore()
    #expect(try #require(way.counterexamples.first).test.contains("// A test cannot state it of all ways"))
  }
}
