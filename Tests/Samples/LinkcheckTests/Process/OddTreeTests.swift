import DemoSite
import Foundation
import TestSupport
import Testing

// The limit is for a child that hangs, on however slow a machine; none is waited for by the clock.
@Suite("Odd folders", .serialized, .timeLimit(.minutes(30)))
struct OddTreeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func check(_ arguments: String..., offline: Bool = true) async -> ChildProcess.Result {
    await ChildProcess(["--no-progress", "--offline"] + arguments + [folder.path]).result()
  }

  /// Writes a file whose name has bytes that are no characters.
  private func write(_ text: String, to name: [UInt8]) throws {
    let path = (Array(folder.path.utf8) + [0x2F] + name).map { CChar(bitPattern: $0) } + [0]
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
  }

  #if os(Linux)
  @Test("a name that is not UTF-8 is checked, can be linked to, and is shown with its bytes")
  func notUTF8() async throws {
    try write("[gone](gone.md) [back](a.md)", to: [0xE4] + Array(".md".utf8))
    try folder.write("[there](%e4.md) [not](%E5.md)", to: "a.md")
    let result = await check()
    #expect(result.status == 1)
    #expect(
      result.output == """
        \(folder.path)/\\xE4.md:1: gone.md: no such file
        \(folder.path)/a.md:1: %E5.md: no such file
        2 pages, 4 links: 2 broken

        """)
  }
  #endif

  @Test(
    "a folder inside that cannot be read is told", .enabled(if: geteuid() != 0, "the superuser reads all"))
  func unreadableFolder() async throws {
    try folder.write("# A", to: "a.md")
    try folder.write("# B", to: "x/b.md")
    chmod(folder.file("x"), 0)
    defer { chmod(folder.file("x"), 0o700) }
    let result = await check()
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("\(folder.path)/x/:1: cannot be searched: Permission denied\n"))
  }

  #if os(Linux)
  @Test("a file that has more in it than its size says is read no farther than others")
  func sizeless() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("a.md"), withDestinationPath: "/proc/cpuinfo")
    #expect(await check("--max-size", "20").errors.last?.hasSuffix("larger than 20 bytes, not read") == true)
  }
  #endif

  @Test("neither a newline in a name nor a control sequence on a page reaches the terminal")
  func controls() async throws {
    try folder.write("[x](\u{9B}31m) <a href='#\u{1B}]0;z\u{7}'>", to: "a\nb\u{1B}[2J.md")
    #expect(
      await check().output == """
        \(folder.path)/a\\nb\\u{1B}[2J.md:1: #\\u{1B}]0;z\\u{7}: no #\\u{1B}]0;z on the page
        \(folder.path)/a\\nb\\u{1B}[2J.md:1: \\u{9B}31m: no such file
        1 page, 2 links: 2 broken

        """)
    let json = await check("--json").output
    #expect(
      !json.unicodeScalars.contains { $0 != "\n" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value)) })
    let decoded = try WrittenReport(json)
    #expect(decoded.broken.map(\.link) == ["#\u{1B}]0;z\u{7}", "\u{9B}31m"])
    #expect(decoded.broken.map(\.page) == Array(repeating: folder.path + "/a\nb\u{1B}[2J.md", count: 2))
  }

  @Test("a folder in which every page is too large is not passed over")
  func oversized() async throws {
    try folder.write(String(repeating: "x", count: 2000), to: "a.md")
    let all = await check("--max-size", "1000")
    #expect((all.status, all.output) == (2, ""))
    #expect(all.errors.last?.hasSuffix("each page is larger than 1000 bytes, not read") == true)
    try folder.write("# B", to: "b.md")
    let one = await check("--max-size", "1000")
    #expect(one.status == 0)
    #expect(
      one.output == """
        \(folder.path)/a.md:1: not checked: larger than 1000 bytes, not read
        1 page, 0 links: none broken, 1 not checked

        """)
  }

  @Test("a page that is larger than is read at once is read in parts, and its links are checked")
  func large() async throws {
    let text = "<p>A line.</p>\n"
    try folder.write(
      "<a href=gone.html>\n" + String(repeating: text, count: 5_000) + "<a href=b.html#no><p id=here>",
      to: "a.html")
    try folder.write("<a href=a.html#here><a href=a.html#there>", to: "b.html")
    let result = await check("--max-size", "1000")
    #expect(
      result.output == """
        \(folder.path)/a.html:1: gone.html: no such file
        \(folder.path)/a.html:5002: b.html#no: no #no on the page
        \(folder.path)/b.html:1: a.html#there: no #there on the page
        2 pages, 4 links: 3 broken

        """)
  }

  @Test("a combining mark behind a slash or an equals sign is part of a name")
  func combiningMarks() async throws {
    try folder.write("[a](/\u{301}b.md) [c](sub/\u{301}c.md)", to: "a.md")
    try folder.write("", to: "sub/x.md")
    try write("", to: Array("\u{301}b.md".utf8))
    try write("", to: Array("sub/\u{301}c.md".utf8))
    #expect(await check().status == 0)
  }

  @Test("links in style sheets are followed, which are no pages themselves")
  func styleSheets() async throws {
    try folder.write("<link rel=stylesheet href=s/a.css><p style='longRunning: url(s/i.png)'>", to: "a.html")
    try folder.write("@import 'b.css';\n@import 'c.css';", to: "s/a.css")
    try folder.write("\n\np { longRunning: url(i.png) }", to: "s/b.css")
    try folder.write("", to: "s/unused.css")
    #expect(
      await check().output == """
        \(folder.path)/a.html:1: s/i.png: no such file
        \(folder.path)/s/a.css:2: c.css: no such file
        \(folder.path)/s/b.css:3: i.png: no such file
        1 page, 5 links: 3 broken

        """)
  }

  @Test("a link to a folder leads to its page, and a fragment to a place there")
  func folders() async throws {
    try folder.write("[a](sub#there) [b](sub/#gone) [c](other/#x) [d](web/#y)", to: "a.md")
    try folder.write("# There", to: "sub/README.md")
    try folder.write("", to: "other/x.txt")
    try folder.write("<p id=z>", to: "web/index.html")
    #expect(
      await check().output == """
        \(folder.path)/a.md:1: sub/#gone: no #gone on the page
        \(folder.path)/a.md:1: web/#y: no #y on the page
        3 pages, 4 links: 2 broken

        """)
  }

  @Test("a link that leads back to a folder above is no way without end")
  func loops() async throws {
    try folder.write("[a](loop/a.md) [b](loop/loop/b.md) [c](loop/#a) [d](loop/a.md#no)\n\n# A", to: "a.md")
    try folder.write("[x](../s/up/s/b.md) [y](gone.md)", to: "s/b.md")
    try FileManager.default.createSymbolicLink(atPath: folder.file("loop"), withDestinationPath: ".")
    try FileManager.default.createSymbolicLink(atPath: folder.file("s/up"), withDestinationPath: "..")
    #expect(
      await check().output == """
        \(folder.path)/a.md:1: loop/loop/b.md: no such file
        \(folder.path)/a.md:1: loop/a.md#no: no #no on the page
        \(folder.path)/s/b.md:1: gone.md: no such file
        2 pages, 6 links: 3 broken

        """)
  }

  @Test("a page in an encoding that is unknown here is not checked, and links to it are fine")
  func encodings() async throws {
    try folder.write("[a](b.html#x)", to: "a.md")
    try (Data("<meta charset=gbk><a href=gone.html>".utf8) + [0xB4, 0xC1])
      .write(to: URL(fileURLWithPath: folder.file("b.html")))
    let result = await check()
    #expect(result.status == 0)
    #expect(
      result.output == """
        \(folder.path)/b.html:1: not checked: in the encoding gbk, not read; 1 link leads there
        1 page, 1 link: none broken, 1 not checked

        """)
  }

  @Test("a password in an address is shown nowhere")
  func passwords() async throws {
    let trace = folder.file("trace.jsonl")
    try folder.write("[a](http://user:secret@127.0.0.1:9/x)", to: "a.md")
    let patience = ["--timeout", "3600"]  // that it is refused must not depend on how fast the machine is
    let result = await ChildProcess(patience + ["--no-progress", "--trace", trace, folder.path]).result()
    #expect(result.output.contains("http://user:***@127.0.0.1:9/x: cannot connect"), "\(result.output)")
    let site = await ChildProcess(patience + ["--trace", trace + "2", "http://user:secret@127.0.0.1:9/"])
      .result()
    #expect(site.status == 2)
    let recordings = try [trace, trace + "2"].map { try String(contentsOfFile: $0, encoding: .utf8) }
    for text in [result.output, site.output] + result.errors + site.errors + recordings {
      #expect(!text.contains("secret"), "\(text)")
    }
  }
}
