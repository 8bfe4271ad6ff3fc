import Testing

/// The contributors' page names types, members and files of the core, which change.
@Suite("Inside Millrace") struct InsideMillraceTests {
  /// A member that the page names, such as `Engine.drain`.
  private struct Member: Hashable, CustomStringConvertible {
    let type: String
    let name: String
    /// The file in which it is, where the page tells.
    var file: String?
    var description: String { "\(type).\(name)\(file.map { " in \($0)" } ?? "")" }
  }

  private static func page() throws -> String {
    try Repository.file("Documentation/Millrace.docc/InsideMillrace.md").text
  }

  /// The steps of the path of one action: a number, a member, and the file that declares it.
  private static func steps(in page: String) -> [Member] {
    page.matches(of: #/(?m)^ +\d+ +(?:[A-Z]\w*\.)*([A-Z]\w*)\.(\w+)\S* +(\w+\/\w+)/#).map {
      Member(type: String($0.1), name: String($0.2), file: String($0.3))
    }
  }

  private static func members(in page: String) -> [Member] {
    page.matches(of: #/`(?:[A-Z]\w*\.)*([A-Z]\w*)\.([a-z]\w*)(?:\(.*?\))?`/#)
      .map { Member(type: String($0.1), name: String($0.2)) }
      .filter { $0.name != "swift" && $0.type != "MemoryLayout" }
  }

  /// A source file, as the names that it declares or extends.
  private struct Source {
    let path: String
    let types: Set<String>
    let members: Set<String>

    init(_ file: Repository.File) {
      path = file.path
      let words = file.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      func names(after keywords: Set<String>) -> Set<String> {
        Set(zip(words, words.dropFirst()).filter { keywords.contains($0.0) }.map(\.1))
      }
      types = names(after: ["struct", "class", "enum", "protocol", "extension"])
      members = names(after: ["func", "var", "let", "case"]).union(words.filter { $0 == "init" })
    }

    func declares(_ member: Member) -> Bool {
      if let file = member.file, !path.hasSuffix("/\(file).swift") { return false }
      return types.contains(member.type) && members.contains(member.name)
    }
  }

  @Test("each member that the page names is declared, each step of the path in its file")
  func declared() throws {
    let sources = try Repository.files(under: "Sources/Core/Millrace", suffix: ".swift").map(Source.init)
    let page = try Self.page()
    let members = Set(Self.steps(in: page) + Self.members(in: page))
    #expect(members.count > 60)
    for member in members {
      let isDeclared = sources.contains { $0.declares(member) }
      #expect(isDeclared, "the page names \(member)")
    }
  }

  @Test("the path of one action has as many functions and files as the page says")
  func counted() throws {
    let page = try Self.page()
    let steps = Self.steps(in: page)
    let said = try #require(page.firstMatch(of: #/That is (\d+) functions in (\d+) files/#))
    #expect(Int(said.1) == steps.count)
    #expect(Int(said.2) == Set(steps.compactMap(\.file)).count)
  }

  @Test("each file that the page names exists")
  func files() throws {
    let page = try Self.page()
    let paths = try Repository.files(under: "Sources/Core/Millrace", suffix: ".swift").map(\.path)
    for name in page.matches(of: #/`((?:\w+\/)+[\w+]+\.swift)`/#).map({ String($0.1) }) {
      #expect(paths.contains("Sources/Core/Millrace/\(name)"), "there is no \(name)")
    }
  }
}
