import Testing

@Suite("Promises") struct PromiseTests {
  private static func page() throws -> Promises {
    Promises(page: try Repository.file("Documentation/Millrace.docc/Promises.md").text)
  }

  private static func testNames() throws -> [String] {
    try Repository.files(under: "Tests", suffix: ".swift")
      .filter { !$0.path.hasPrefix("Tests/Laboratory/DocumentationTests/") }
      .flatMap { Promises.testNames(in: $0.text) }
  }

  @Test("every promise on the page has a test that carries its number")
  func held() throws {
    let held = Set(try Self.testNames().compactMap(Promises.number))
    for number in try Self.page().stated {
      #expect(held.contains(number), "no test carries the number \(number)")
    }
  }

  @Test("every test that carries a number holds a promise that the page states")
  func stated() throws {
    let stated = Set(try Self.page().stated)
    for name in try Self.testNames() {
      guard let number = Promises.number(ofTest: name) else { continue }
      #expect(stated.contains(number), "the page of promises does not state what \"\(name)\" holds")
    }
  }

  @Test("the page numbers the promises of each group from 1, without a gap")
  func complete() throws {
    let groups = Dictionary(grouping: try Self.page().stated) { $0.first }
    #expect(Set(groups.keys) == ["R", "C", "E", "D", "L"])
    for (_, numbers) in groups {
      #expect(numbers.map { Int($0.dropFirst()) } == Array(1...numbers.count))
    }
  }

  @Test("promises and names of tests are read from pages and sources")
  func reading() {
    let page = Promises(
      page: "- **R1** One.\n- **Not so** Two.\n- **E10** Ten.\n")
    #expect(page.stated == ["R1", "E10"])
    let source = "@Test(\"R1: one\", arguments: [1])\nfunc one() {}\n@Test(\n  \"two\")\n@Test func a() {}\n"
    #expect(Promises.testNames(in: source) == ["R1: one", "two"])
    #expect(Promises.number(ofTest: "E10: ten") == "E10")
    #expect(Promises.number(ofTest: "two: three") == nil)
  }
}
