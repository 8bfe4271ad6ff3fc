import Testing

@testable import LinkcheckReaders
@testable import linkcheck

@Suite("The command line")
struct CommandTests {
  private func options(_ change: (inout CheckOptions) -> Void) -> Command {
    var options = CheckOptions()
    change(&options)
    return .check(options)
  }

  @Test("no words mean the demo")
  func empty() throws {
    #expect(try Command([]) == options { _ in })
  }

  @Test("every option is read, with its value behind it or attached")
  func all() throws {
    let expected = options {
      $0.target = "docs"
      ($0.isOffline, $0.isJSON, $0.startsOver) = (true, true, true)
      ($0.jobs, $0.timeoutInSeconds, $0.largestPage, $0.demoDelayInMilliseconds) = (3, 2.5, 9, 40)
      $0.progress = .file("p")
    }
    let apart =
      "--offline --json --start-over --jobs 3 --timeout 2.5 --max-size 9 --slow-demo 40 --progress p docs"
    let attached =
      "docs --offline --json --start-over -j3 --timeout=2.5 --max-size=9 --slow-demo=40 --progress=p"
    #expect(try Command(apart.split(separator: " ").map(String.init)) == expected)
    #expect(try Command(attached.split(separator: " ").map(String.init)) == expected)
    #expect(try Command(["--no-progress"]) == options { $0.progress = .nowhere })
  }

  @Test("help and version need nothing else")
  func short() throws {
    #expect(try Command(["--help"]) == .help)
    #expect(try Command(["a", "-h"]) == .help)
    #expect(try Command(["--version"]) == .version)
  }

  @Test("serving has options of its own")
  func serving() throws {
    #expect(try Command(["--serve"]) == .serve(ServeOptions()))
    #expect(
      try Command(["--port", "80", "--slow-demo=5", "--serve"])
        == .serve(ServeOptions(port: 80, demoDelayInMilliseconds: 5)))
  }

  @Test("after two dashes all is a target")
  func dashes() throws {
    #expect(try Command(["--", "--json"]) == options { $0.target = "--json" })
    #expect(try Command(["-"]) == options { $0.target = "-" })
  }

  @Test(
    "what cannot be meant is refused, with the word that is at fault",
    arguments: [
      (["--nonsense"], "--nonsense"), (["-x"], "-x"), (["-x3"], "-x"),
      (["a", "b"], "“b”"), ([""], "empty"),
      (["--jobs"], "--jobs needs a value"), (["--jobs", "--json"], "--jobs needs a value"),
      (["--jobs="], "--jobs"),
      (["--jobs", "0"], "“0”"), (["--jobs=65"], "“65”"), (["--jobs", "many"], "“many”"),
      (["--timeout", "0"], "“0”"), (["--timeout=-1"], "“-1”"), (["--timeout", "nan"], "“nan”"),
      (["--timeout", "inf"], "“inf”"), (["--json=yes"], "--json takes no value"),
      (["--port", "1"], "--serve"),
      (["--serve", "--json"], "--json"), (["--serve", "docs"], "“docs”"),
      (["--serve", "--port=70000"], "70000"),
      (["--progress"], "--progress needs a value"), (["--max-age", "-1"], "--max-age needs a value"),
      (["--json=\u{301}"], "--json takes no value"), (["--jobs=\u{301}3"], "--jobs takes a number"),
    ])
  func refusals(arguments: [String], part: String) {
    let error = #expect(throws: UsageError.self) { try Command(arguments) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test("every option is in the help")
  func help() {
    for option in [
      "--offline", "--json", "--jobs", "-j", "--timeout", "--max-size", "--progress", "--no-progress",
      "--start-over", "--max-age", "--trace", "--slow-demo", "--serve", "--port", "--help", "-h", "--version",
    ] {
      #expect(Usage.text.contains(option))
    }
    #expect(Usage.text.contains("(\(CheckOptions().jobs))"))
    #expect(Usage.text.contains("(\(CheckOptions().largestPage))"))
  }
}

@Suite("Targets")
struct TargetTests {
  private func target(_ argument: String?, _ kind: FileKind = .missing) throws(UsageError) -> Target {
    try Target(argument, kind: { _ in kind })
  }

  @Test("an argument is a site, a folder or a page")
  func kinds() throws {
    #expect(try target(nil) == .demo)
    #expect(try target("HTTPS://a.b") == .site(Address(file: "/").resolved("https://a.b/")))
    #expect(try target("docs", .folder) == .folder("docs"))
    #expect(try target("a.md", .file(size: 1)) == .file("a.md"))
  }

  @Test(
    "what cannot be checked is refused",
    arguments: [
      ("ftp://a", FileKind.missing, "not an http or https URL"), ("http://", .missing, "not a URL"),
      ("http://a b", .missing, "not a URL"), ("nowhere", .missing, "no such file or folder: nowhere"),
      ("a.png", .file(size: 1), "neither Markdown nor HTML"),
      ("/dev/null", .special, "neither a file nor a folder"),
      ("a.md", .unreadable("Permission denied"), "Permission denied"),
    ])
  func refusals(argument: String, kind: FileKind, part: String) {
    let error = #expect(throws: UsageError.self) { try target(argument, kind) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }

  @Test("files are called as the target was")
  func names() {
    func name(_ given: String, folder: Bool = true, _ path: String) -> String {
      let absolute = Target.absolute(given, in: Array("/w".utf8))
      let scope = folder ? Scope(folder: absolute) : Scope(file: absolute)
      return AddressNames(target: given, scope: scope)(Address(file: path))
    }
    #expect(name("docs", "/w/docs/a/b.md") == "docs/a/b.md")
    #expect(name("docs/", "/w/docs/a.md") == "docs/a.md")
    #expect(name(".", "/w/a.md") == "a.md")
    #expect(name("../x", "/x/a.md") == "../x/a.md")
    #expect(name("/w/docs", "/w/docs/ä b.md") == "/w/docs/ä b.md")
    #expect(name("docs", "/elsewhere/a.md") == "/elsewhere/a.md")
    #expect(name("a.md", folder: false, "/w/a.md") == "a.md")
  }
}

extension Address {
  fileprivate func resolved(_ text: String) -> Address {
    guard case .address(let address) = resolving(text) else { return self }
    return address
  }
}
