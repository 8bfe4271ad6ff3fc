import DemoSite
import Foundation
import TestSupport
import Testing

// The limit is for a child that hangs, on however slow a machine; none is waited for by the clock.
// One after the other: each child costs descriptors, of which some systems give a process 256.
@Suite("Bad input", .serialized, .timeLimit(.minutes(30)))
struct BadInputTests {
  @Test(
    "what cannot be done gets one line on standard error of why, nothing on standard output, and the status 2",
    arguments: [
      (["--nonsense"], "unknown option: --nonsense"),
      (["nowhere"], "no such file or folder: nowhere"),
      (["FOLDER/nowhere.md"], "no such file or folder: "),
      (["ftp://example.org"], "not an http or https URL: ftp://example.org"),
      (["http://"], "not a URL: http://"),
      (["http://127.0.0.1:1/"], "cannot read http://127.0.0.1:1/: cannot connect"),
      (["FOLDER/image.png"], "neither Markdown nor HTML, by its name: "),
      (["FOLDER/binary.md"], "not a text file"),
      (["FOLDER/empty"], "there are no Markdown or HTML files in "),
      (["/dev/null"], "neither a file nor a folder: /dev/null"),
      (["--progress", "/dev/null", "FOLDER/page.md"], "not a regular file: /dev/null"),
      (["--progress", "FOLDER", "FOLDER/page.md"], "is a folder: "),
      (["--progress", "FOLDER/nowhere/p", "FOLDER/page.md"], "no such folder: "),
      (
        ["--progress", "FOLDER/damaged", "FOLDER/page.md"],
        "progress cannot be kept: is no progress file: "
      ),
      (["--serve", "--port", "1x"], "--port takes a number"),
    ])
  func table(arguments: [String], message: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("# Page", to: "page.md")
    try folder.write("\u{89}PNG\u{0}", to: "image.png")
    try folder.write("a\u{0}b", to: "binary.md")
    try folder.write("no progress", to: "damaged")
    try folder.write("", to: "empty/nothing.txt")
    let words = arguments.map { $0.replacing("FOLDER", with: folder.path) }
    let keeps = arguments.contains("--progress") || arguments.contains("--serve")
    // What comes of an exchange must not depend on how fast the machine is.
    let patience = arguments.contains("--serve") ? [] : ["--timeout", "3600"]
    let result = await ChildProcess((keeps ? [] : ["--no-progress"]) + patience + words).result()
    #expect(result.status == 2)
    #expect(result.output == "")
    let errors = result.errors.filter { !$0.hasPrefix("linkcheck: checking ") }
    #expect(errors.count == 1, "\(result.errors)")
    let line = try #require(errors.first)
    #expect(line.hasPrefix("linkcheck: ") && line.contains(message), "\(line)")
  }

  @Test("progress of another check is neither used nor lost")
  func otherTarget() async throws {
    let folder = try TemporaryFolder()
    let server = try DemoServer()
    defer { server.stop() }
    server.hold("/about")
    // The page that is held back must not time out, however slow the machine: then the check would end.
    let child = ChildProcess("--timeout", "3600", "--progress", folder.file("p"), server.origin)
    try #require(await child.errorLine { (ProgressLine($0)?.saved ?? 0) > 1 } != nil)
    try await child.send(SIGKILL)
    _ = await child.result()
    let kept = try Data(contentsOf: URL(fileURLWithPath: folder.file("p")))
    let page = try folder.write("# Page", to: "page.md")
    let other = await ChildProcess.run("--progress", folder.file("p"), page)
    #expect(other.status == 2)
    #expect(other.errors.first?.contains("belongs to a check of \(server.origin)/, not of file:///") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("p"))) == kept)
  }

  @Test("a site that is there and has no page is no target")
  func noPage() async throws {
    let server = try DemoServer()
    defer { server.stop() }
    for (path, message) in [
      ("/files/notes.txt", "not a page of HTML or Markdown: "), ("/gone", "410 Gone"),
      ("/loop/a", "redirects in a circle"), ("/huge", "larger than 2 MiB"), ("/cut", "connection cut"),
    ] {
      let result = await ChildProcess.run("--no-progress", "--timeout", "3600", server.origin + path)
      #expect(result.status == 2)
      #expect(result.errors.first == "linkcheck: checking \(server.origin)\(path)")
      #expect(result.errors.count == 2 && result.errors.last?.contains(message) == true, "\(result.errors)")
    }
  }

  #if os(Linux)
  @Test("a report that cannot be written is not lost: the next run writes it and fetches nothing")
  func fullOutput() async throws {
    let folder = try TemporaryFolder()
    let server = try DemoServer()
    defer { server.stop() }
    let arguments = ["--timeout", "3600", "--progress", folder.file("p"), server.origin]
    let failed = await ChildProcess(arguments, through: "exec \"$0\" \"$@\" >/dev/full").result()
    #expect(failed.status == 2)
    #expect(failed.errors.last == "linkcheck: cannot write the output: No space left on device")
    let counts = server.requestCounts
    let second = await ChildProcess(arguments).result()
    #expect(second.status == 1)
    #expect(second.output.hasSuffix("31 pages, 121 links: 10 broken, 1 not checked\n"))
    #expect(server.requestCounts == counts)
  }

  @Test("where the system permits no progress file, a check that asked for one is refused")
  func notPermitted() async throws {
    let folder = try TemporaryFolder()
    let page = try folder.write("# Page", to: "page.md")
    // Not even the superuser may write there.
    let result = await ChildProcess.run("--progress", "/sys/p", page)
    #expect(result.status == 2)
    #expect(result.errors == ["linkcheck: progress cannot be kept: not permitted: /sys/p.lock"])
  }
  #endif
}
