import Testing

@Suite("Examples") struct ExampleTests {
  private static func pages() throws -> [Repository.File] {
    try ["README.md", "CONTRIBUTING.md", "AGENTS.md"].map(Repository.file)
      + Repository.files(under: "Documentation", suffix: ".md")
  }

  /// Read once for all tests.
  private static let allBlocks = Result {
    try pages().flatMap(SwiftBlock.inMarkdown)
      + Repository.files(under: "Sources", suffix: ".swift").flatMap(SwiftBlock.inDocComments)
  }

  private static func blocks() throws -> [SwiftBlock] { try allBlocks.get() }

  private static func compiledSource() throws -> CompiledSource {
    let tests = try Repository.files(under: "Tests", suffix: ".swift")
    let files =
      try tests.filter { !$0.path.hasPrefix("Tests/Core/Misuse/") }  // which must not compile
      + Repository.files(under: "Samples", suffix: ".swift")
    return CompiledSource(files.map(\.text))
  }

  /// The article whose code needs other packages. The step `adapters` of `.ci/run` compiles it.
  private static let adapters = "Documentation/Millrace.docc/Adapters.md"

  private static func adaptersSource() throws -> CompiledSource {
    CompiledSource(try Repository.files(under: ".ci/adapters/Sources", suffix: ".swift").map(\.text))
  }

  @Test("every block of Swift in the documentation is a part of a test or a sample, or of an adapter")
  func compiled() throws {
    let (source, adapters) = (try Self.compiledSource(), try Self.adaptersSource())
    for block in try Self.blocks() {
      // Not inside #expect, which would print all sources.
      let isCompiled = (block.path == Self.adapters ? adapters : source).contains(block.lines)
      #expect(isCompiled, "\(block.path):\(block.line) shows code that nothing compiles")
    }
  }

  @Test("the article of adapters shows or names each of their files")
  func adapters() throws {
    let blocks = try Self.blocks().filter { $0.path == Self.adapters }
    let page = try Repository.file(Self.adapters).text
    for name in ["Log", "Metrics", "Ending", "Tracing", "Service"] {
      let file = try Repository.file(".ci/adapters/Sources/adapters/\(name).swift")
      let isShown = blocks.contains { $0.lines == file.text.normalisedLines }
      #expect(isShown || page.contains("`\(file.path)`"), "\(file.path) is neither shown nor named")
    }
  }

  @Test("code of another library, or of Apple's UI, says that it is not compiled here")
  func foreignLibraries() throws {
    for page in try Self.pages() {
      for block in OtherBlock.inMarkdown(page) where block.isCode {
        #expect(block.isMarked, "\(page.path):\(block.line) shows code that is neither compiled nor marked")
      }
    }
    let text = "Not compiled here:\n\n```\nf { }\n```\nMore.\n```\ng { }\n```\n"
    let page = Repository.File(path: "page", text: text)
    #expect(OtherBlock.inMarkdown(page).map(\.isMarked) == [true, false])
  }

  @Test("the front page and every article show code")
  func shown() throws {
    let paths = Set(try Self.blocks().map(\.path))
    let expected = [
      "README.md", "Documentation/Millrace.docc/YourFirstFeature.md",
      "Documentation/Millrace.docc/WritingAnEffectComponent.md",
      "Documentation/Millrace.docc/ConnectingComponents.md",
      "Sources/Core/Millrace/Connected/EffectComponent.swift",
    ]
    #expect(paths.isSuperset(of: expected))
  }

  @Test("code that stands in no source file is found, and so is a changed line in the middle")
  func foreign() {
    let source = CompiledSource(["func a() {\n  one()\n\n  two()\n}", "three()"])
    #expect(source.contains(["one()", "two()"]))
    #expect(!source.contains(["one()", "three()"]))
    #expect(!source.contains(["two()", "three()"]))
    #expect(!source.contains(["four()"]))
  }

  @Test("fences of other languages are left alone, those of Swift are read from pages and doc comments")
  func fences() {
    let page = Repository.File(
      path: "page", text: "text\n```sh\nswift test\n```\n```swift\nlet a  = 1\n\nlet b = 2\n```\n")
    #expect(
      SwiftBlock.inMarkdown(page) == [SwiftBlock(path: "page", line: 5, lines: ["let a = 1", "let b = 2"])])
    let source = Repository.File(
      path: "source", text: "  /// An a.\n  ///\n  /// ```swift\n  /// let a = 1\n  /// ```\n  let a = 1\n")
    #expect(
      SwiftBlock.inDocComments(source) == [SwiftBlock(path: "source", line: 3, lines: ["let a = 1"])])
  }
}
