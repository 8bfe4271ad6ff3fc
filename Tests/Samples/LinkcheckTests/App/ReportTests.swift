import Foundation
import MillraceEffects
import MillraceSystem
import Testing

@testable import LinkcheckReaders
@testable import linkcheck

@Suite("The report")
struct ReportTests {
  private func crawl(_ findings: [Address: Finding], offline: Bool = false) -> Crawl.State {
    var settings = Crawl.Settings()
    settings.isOffline = offline
    var state = Crawl.State(scope: Scope(site: "http://a/"), settings: settings)
    Crawl.reduce(&state, .began(knowing: findings))
    return state
  }

  private func page(_ links: String..., anchors: Set<Fragment> = []) -> Finding {
    let document = Document(
      links: links.enumerated().map { Link(text: $1, line: $0 + 1) }, anchors: anchors)
    let resolver = LinkResolver(scope: Scope(site: "http://a/"))
    return .page(resolver.page(of: document, markup: .html, size: 0, at: "http://a/"))
  }

  private func report(_ findings: [Address: Finding], offline: Bool = false) -> Report {
    Report(of: crawl(findings, offline: offline), target: "t", name: { String($0.path) })
  }

  @Test("every link on every page of the site is judged, of other sites none")
  func judging() {
    let report = report([
      "http://a/": page(
        "/", "#here", "#gone", "b#here", "b#gone", "c", "http://", "mailto:x", "http://b/", "d"),
      "http://a/b": page("c", anchors: ["here"]),
      "http://a/c": .trouble(Trouble(.status, "404 Not Found")),
      "http://a/d": .oversized(limit: 1 << 20),
      "http://b/": page("nowhere"),
    ])
    #expect(report.pages == 2)
    #expect(report.links == 10)
    #expect(report.broken.map(\.link) == ["#here", "#gone", "b#gone", "c", "http://", "c"])
    #expect(report.broken.map(\.line) == [2, 3, 5, 6, 7, 1])
    #expect(report.broken.map(\.page) == ["/", "/", "/", "/", "/", "/b"])
    #expect(report.broken.map(\.kind) == [.anchor, .anchor, .anchor, .status, .invalid, .status])
    #expect(report.unchecked.map(\.message) == ["larger than 1 MiB, not read; 1 link leads there"])
  }

  @Test("offline, links to other sites are counted as skipped")
  func offline() {
    let report = report(
      [
        "http://a/": page("http://b/", "http://c/", "/", "/away"),
        "http://a/away": .redirect(to: "http://b/"),
      ], offline: true)
    #expect((report.skipped, report.links, report.broken.count) == (2, 2, 0))
  }

  @Test("redirects are followed to their end, which is judged")
  func redirects() {
    var findings: [Address: Finding] = [
      "http://a/": page("good#x", "good#y", "circle", "bad"),
      "http://a/good": .redirect(to: "http://a/page"),
      "http://a/page": page(anchors: ["x"]),
      "http://a/circle": .redirect(to: "http://a/circle2"),
      "http://a/circle2": .redirect(to: "http://a/circle"),
      "http://a/bad": .redirect(to: "http://a/gone"),
      "http://a/gone": .trouble(Trouble(.status, "410 Gone")),
    ]
    #expect(
      report(findings).broken.map(\.message) == [
        "no #y on the page", "redirects in a circle", "410 Gone, after a redirect to http://a/gone",
      ])
    for step in 0..<25 { findings[Address(file: "/\(step)")] = .redirect(to: Address(file: "/\(step + 1)")) }
    #expect(
      crawl(findings).verdict(on: Address(file: "/0"))
        == .broken(Trouble(.redirect, "more than 20 redirects")))
  }

  @Test("the text has a line for each problem, and no control characters of the page's")
  func text() {
    let report = report([
      "http://a/": page("x\u{1B}[31m\ny", "big"),
      "http://a/x%1B[31my": .trouble(Trouble(.status, "404 Not Found")),
      "http://a/big": .oversized(limit: 10),
    ])
    #expect(
      report.text == """
        /:1: x\\u{1B}[31m\\ny: 404 Not Found
        /big:1: not checked: larger than 10 bytes, not read; 1 link leads there
        1 page, 2 links: 1 broken, 1 not checked

        """)
  }

  @Test("a page that was not read is told once, however many links lead there, and in whatever way")
  func unreadOnce() {
    let report = report([
      "http://a/": page("big", "big#x", "there", "big", "bigger"),
      "http://a/there": .redirect(to: "http://a/big"),
      "http://a/big": .oversized(limit: 10),
      "http://a/bigger": .oversized(limit: 10),
    ])
    #expect(report.unchecked.map(\.page) == ["/big", "/bigger"])
    #expect(
      report.unchecked.map(\.message) == [
        "larger than 10 bytes, not read; 4 links lead there",
        "larger than 10 bytes, not read; 1 link leads there",
      ])
    #expect((report.links, report.broken.count) == (5, 0))
  }

  @Test("the JSON has every member, also of what is empty")
  func json() throws {
    let object = try JSONSerialization.jsonObject(with: Data(report(["http://a/": page("b")]).json.utf8))
    let members = try #require(object as? [String: Any])
    #expect(Set(members.keys) == ["target", "pages", "links", "skipped", "broken", "unchecked"])
    let broken = report(["http://a/": page("b"), "http://a/b": .trouble(Trouble(.status, "404 Not Found"))])
    let decoded = try JSONSerialization.jsonObject(with: Data(broken.json.utf8)) as? [String: Any]
    let problem = try #require((decoded?["broken"] as? [[String: Any]])?.first)
    #expect(Set(problem.keys) == ["page", "line", "link", "url", "kind", "message"])
    #expect(problem["kind"] as? String == "status")
    #expect(problem["url"] as? String == "http://a/b")
  }

  @Test("numbers of bytes are read easily")
  func bytes() {
    #expect("\(ByteCount(1))" == "1 bytes")
    #expect("\(ByteCount(2 << 20))" == "2 MiB")
    #expect("\(ByteCount(3 << 10))" == "3 KiB")
    #expect("\(ByteCount(1500))" == "1500 bytes")
  }
}

@Suite("Text from elsewhere")
struct OneLineTests {
  private let text = "a\u{1B}[31m\n\t\r\u{7F}\u{9B}1m\u{202E}\u{2028}\u{85}é\u{1F600}"

  @Test("what a terminal acts upon is shown as an escape, all else stays")
  func escapes() {
    #expect(
      OneLine.text(text) == "a\\u{1B}[31m\\n\\t\\r\\u{7F}\\u{9B}1m\\u{202E}\\u{2028}\\u{85}é\u{1F600}")
    #expect(OneLine.text("plain é") == "plain é")
    // A newline and a carriage return are one character of Swift's.
    #expect(OneLine.text("a\r\nb") == "a\\r\\nb")
  }

  @Test("in JSON too, where the escapes are JSON's and its own lines stay")
  func json() {
    #expect(OneLine.json("{\n  \"a\u{9B}\u{7F}\u{202E}\"\n}") == "{\n  \"a\\u009b\\u007f\\u202e\"\n}")
  }

  @Test("of a path that is no text, the bytes are shown")
  func paths() {
    #expect(FilePath.text(Array("/a/é".utf8)) == "/a/é")
    #expect(FilePath.text([0x2F, 0xE4, 0x62, 0xC3, 0xA9, 0xFF]) == "/\\xE4bé\\xFF")
    #expect(FilePath.terminated([0x61, 0]) == nil)
  }
}

@Suite("The status")
struct StatusTests {
  private func status(_ counts: Status.Counts? = nil, notices: [String] = [], isOver: Bool = false)
    -> Status.State
  {
    var state = Status.State()
    if let counts { state.show(counts) }
    for notice in notices { state.tell(notice) }
    if isOver { state.end() }
    return state
  }

  @Test("what is shown is the counts, as far as there are any, and the notices")
  func progress() {
    #expect(status().progress == ProgressStatus())
    let counts = Status.Counts(checked: 3, known: 4, broken: 1, saved: 2)
    let progress = status(counts, notices: ["a", "b"], isOver: true).progress
    #expect(progress.text == "3 of 4 checked, 2 saved, 1 broken")
    #expect(progress.fraction == 0.75)
    #expect(progress.notices == ["a", "b"])
    #expect(progress.isOver)
    #expect(status(Status.Counts()).progress.fraction == 0)
    #expect(Status.Counts(checked: 1, known: 2).line == "1 of 2 checked")
  }

  @Test("every target has a progress file of its own, with a name that a file can have")
  func progressNames() {
    let targets = [
      "http://a/", "http://a/b", "http://a-b", "file:///a/ü/", String(repeating: "x", count: 900),
    ]
    let names = targets.map { ProgressFile.name(for: $0) }
    #expect(Set(names).count == targets.count)
    for name in names { #expect(name.utf8.count < 100 && !name.contains("/")) }
    #expect(!ProgressFile.name(for: Password.hidden(in: "http://user:secret@h/")).contains("secret"))
  }
}
