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

  @Test("every test that the page names exists, one for each promise")
  func named() throws {
    let page = try Self.page()
    let names = Set(try Self.testNames())
    for name in page.namedTests {
      #expect(names.contains(name), "there is no test \"\(name)\"")
    }
    #expect(page.namedTests.map { Promises.number(ofTest: $0) } == page.stated)
  }

  @Test("the page states every promise once, in order")
  func complete() throws {
    let expected =
      (1...5).map { "R\($0)" } + (1...5).map { "C\($0)" } + (1...10).map { "E\($0)" } + ["D1", "D2"]
      + (1...5).map { "L\($0)" }
    #expect(try Self.page().stated == expected)
  }

  @Test("promises and names of tests are read from pages and sources")
  func reading() {
    let page = Promises(
      page: "- **R1** One.\n  *Test:* `R1: one`\n- **Not so** Two.\n- **E10** Ten.\n")
    #expect(page.stated == ["R1", "E10"])
    #expect(page.namedTests == ["R1: one"])
    let source = "@Test(\"R1: one\", arguments: [1])\nfunc one() {}\n@Test(\n  \"two\")\n@Test func a() {}\n"
    #expect(Promises.testNames(in: source) == ["R1: one", "two"])
    #expect(Promises.number(ofTest: "E10: ten") == "E10")
    #expect(Promises.number(ofTest: "two: three") == nil)
  }
}
