import Foundation
import MillraceEffects
import TestSupport
import Testing

@testable import LinkcheckReaders
@testable import linkcheck

@Suite("The crawl")
struct CrawlTests {
  private let site = FakeSite(answers: [
    "http://a/": .html("<a href=1><a href=2#x><a href=/moved><a href=http://b/far><img src=i.png>"),
    "http://a/1": .html("<a href=/><a href=2><a href=flaky>"),
    "http://a/2": .html("<p id=x><a href=missing><a href=mailto:x@y><a href=down>"),
    "http://a/moved": .redirect("/1"),
    "http://a/i.png": .status(200),
    "http://a/flaky": .sequence([.status(503), .failure(.timedOut), .html("<a href=late>")]),
    "http://a/late": .html(""),
    "http://a/down": .failure(.cannotConnect("")),
    "http://b/far": .html("<a href=further>"),
  ])

  private func crawl(
    offline: Bool = false, jobs: Int = 3, knowing findings: [Address: Finding] = [:]
  ) -> Crawl.State {
    var settings = Crawl.Settings()
    (settings.isOffline, settings.jobs) = (offline, jobs)
    var state = Crawl.State(scope: Scope(site: "http://a/"), settings: settings)
    Crawl.reduce(&state, .began(knowing: findings))
    return state
  }

  private func finished(offline: Bool = false, seed: UInt64 = 0) -> Crawl.State {
    var state = crawl(offline: offline)
    site.crawl(&state, seed: seed)
    return state
  }

  @Test("whatever the order of the answers, all is found once, with no more at once than there are jobs")
  func anyOrder() {
    let expected = finished().findings
    #expect(expected.count == 10)
    for seed in 1...100 as ClosedRange<UInt64> {
      var state = crawl()
      site.crawl(&state, seed: seed) { state in
        #expect(state.isConsistent)
        #expect(state.exchanges.count <= 3)
      }
      #expect(state.isFinished)
      #expect(state.findings == expected)
    }
  }

  @Test("pages of other sites are asked for with HEAD, and their links are not followed")
  func remote() {
    var methods: [String: Set<String>] = [:]
    var state = crawl()
    site.crawl(&state) { state in
      for exchange in state.exchanges { methods[exchange.url, default: []].insert(exchange.method) }
    }
    #expect(state.findings["http://b/far"] == .exists)
    #expect(state.findings["http://b/further"] == nil)
    #expect(methods["http://b/far"] == ["HEAD"])
    #expect(methods["http://a/i.png"] == ["HEAD"])
    #expect(methods["http://a/1"] == ["GET"])
  }

  @Test("offline, no other site is asked for anything")
  func offline() {
    #expect(finished(offline: true).findings["http://b/far"] == nil)
    #expect(finished(offline: true).findings.count == 9)
  }

  @Test("a transient failure is tried again after a growing delay, and at last believed")
  func retries() throws {
    var state = crawl(jobs: 1)
    let down = FakeSite(answers: ["http://a/": .failure(.cannotConnect(""))])
    var delays: Set<Duration> = []
    down.crawl(&state) { state in
      for timer in state.retries {
        if case .after(let delay) = timer.schedule { delays.insert(delay) }
      }
    }
    #expect(delays == [.milliseconds(200), .milliseconds(400)])
    #expect(state.findings == ["http://a/": .trouble(Trouble(.network, "cannot connect"))])
    #expect(state.failure == "cannot read http://a/: cannot connect")
    #expect(finished().findings["http://a/flaky"].map { if case .page = $0 { true } else { false } } == true)
  }

  @Test("a server that does not answer HEAD is asked with GET")
  func headRefused() {
    for status in [403, 404, 405, 501] {
      var state = crawl()
      let site = FakeSite(answers: [
        "http://a/": .html("<img src=a.png><img src=b.png>"), "http://a/a.png": .head(status, get: 200),
        "http://a/b.png": .head(status, get: 410),
      ])
      site.crawl(&state)
      #expect(state.findings["http://a/a.png"] == .exists)
      #expect(state.findings["http://a/b.png"] == .trouble(Trouble(.status, "410 Gone")))
    }
  }

  @Test("after a stop nothing is asked for, and answers that come late change nothing")
  func stop() {
    var state = crawl()
    site.crawl(&state, until: { $0.findings.count == 2 })
    let late = site.possibleActions(of: state)
    #expect(!late.isEmpty)
    let findings = state.findings
    Crawl.reduce(&state, .stopped)
    for action in late { Crawl.reduce(&state, action) }
    #expect(state.exchanges.isEmpty && state.pages.isEmpty && state.retries.isEmpty && state.files.isEmpty)
    #expect(state.findings == findings)
    #expect(state.isConsistent)
    #expect(!state.isFinished)
  }

  @Test("begun again at any point, it asks only for what is not known, and finds the same")
  func resume() {
    let expected = finished().findings
    for count in 0...expected.count {
      for seed in 0..<10 as Range<UInt64> {
        var first = crawl()
        site.crawl(&first, seed: seed, until: { $0.findings.count == count })
        var second = crawl(knowing: first.findings)
        var asked: Set<String> = []
        for exchange in second.exchanges { asked.insert(exchange.url) }
        site.crawl(&second, seed: seed) { state in
          for exchange in state.exchanges { asked.insert(exchange.url) }
          #expect(state.isConsistent)
        }
        #expect(asked.isDisjoint(with: first.findings.keys.map(\.text)))
        #expect(second.findings == expected)
        #expect(second.troubles == finished().troubles)
      }
    }
  }

  @Test("where the first page redirects to belongs to the site, also when it is begun again")
  func startRedirects() {
    let site = FakeSite(answers: [
      "http://a/": .redirect("https://www.a/"), "https://www.a/": .html("<a href=1>"),
      "https://www.a/1": .html(""),
    ])
    var state = crawl()
    site.crawl(&state)
    #expect(state.findings.count == 3)
    #expect(Report(of: state, target: "", name: { $0.text }).pages == 2)
    var again = crawl(knowing: state.findings)
    #expect(again.isFinished)
    again = crawl(knowing: state.findings.filter { $0.key != "https://www.a/1" })
    #expect(again.exchanges.map(\.url) == ["https://www.a/1"])
    #expect(again.exchanges.map(\.redirects) == [.stop])
  }

  @Test("aliases change where is asked, not what is found")
  func aliases() {
    var settings = Crawl.Settings()
    settings.aliases = ["http://a": "http://127.0.0.1:9"]
    var state = Crawl.State(scope: Scope(site: "http://a/x?y"), settings: settings)
    Crawl.reduce(&state, .began(knowing: [:]))
    #expect(state.exchanges.map(\.url) == ["http://127.0.0.1:9/x?y"])
    FakeSite(answers: ["http://127.0.0.1:9/x?y": .html("")]).crawl(&state)
    #expect(state.findings == ["http://a/x?y": .page(Page(markup: .html, size: 0))])
  }

  @Test("a start that is no page is a failure of the check")
  func failures() {
    func failure(_ answer: FakeSite.Answer) -> String? {
      var state = crawl()
      FakeSite(answers: ["http://a/": answer]).crawl(&state)
      return state.failure
    }
    #expect(failure(.status(200)) == "not a page of HTML or Markdown: http://a/")
    #expect(failure(.status(404)) == "cannot read http://a/: 404 Not Found")
    #expect(failure(.redirect("/")) == "cannot read http://a/: redirects in a circle")
    #expect(failure(.redirect("ftp://a")) == "cannot read http://a/: redirects to no address")
    #expect(
      failure(.failure(.bodyTooLarge(limit: 2048))) == "cannot check http://a/: larger than 2 KiB, not read")
    #expect(failure(.html("")) == nil)
  }

  @Test("the pages of a folder are read, and files outside only looked at")
  func folder() {
    var state = Crawl.State(scope: Scope(folder: "/d"))
    Crawl.reduce(&state, .began(knowing: [:]))
    #expect(state.folder == "file:///d/")
    Crawl.reduce(&state, .listed(.found(FolderContents(pages: ["file:///d/a.md"]))))
    #expect(state.folder == nil)
    #expect(state.files.map(\.address) == ["file:///d/a.md"])
    Crawl.reduce(&state, .fileRead("file:///d/a.md", .markdown("[x](../o.md) [y](/b.png)")))
    let scope = state.scope
    Crawl.reduce(
      &state,
      .parsed("file:///d/a.md", .markdown("[x](../o.md) [y](/b.png)", at: "file:///d/a.md", in: scope)))
    #expect(Set(state.files.map(\.address)) == ["file:///o.md", "file:///d/b.png"])
    Crawl.reduce(&state, .fileRead("file:///o.md", .markdown("")))
    Crawl.reduce(&state, .parsed("file:///o.md", .markdown("[x](nowhere)", at: "file:///o.md", in: scope)))
    Crawl.reduce(&state, .fileRead("file:///d/b.png", .other))
    #expect(state.isFinished)
    #expect(state.failure == nil)
    #expect(state.takeNewlyFound().filter(state.isWorthKeeping).isEmpty)
  }

  @Test("a folder without pages, and one that cannot be read, are failures of the check")
  func badFolders() {
    func failure(_ listing: FolderListing) -> String? {
      var state = Crawl.State(scope: Scope(folder: "/d"))
      Crawl.reduce(&state, .began(knowing: [:]))
      Crawl.reduce(&state, .listed(listing))
      return state.failure
    }
    #expect(failure(.found(FolderContents())) == "there are no Markdown or HTML files in /d/")
    #expect(failure(.unreadable("no")) == "cannot read /d/: no")
    guard case .unreadable = FolderListing(of: "file:///no-such-folder/") else {
      Issue.record("a folder that is not there can be read")
      return
    }
  }

  @Test("a folder inside that cannot be read is told, and the rest is checked")
  func unreadableFolder() {
    var state = Crawl.State(scope: Scope(folder: "/d"))
    Crawl.reduce(&state, .began(knowing: [:]))
    let contents = FolderContents(
      pages: ["file:///d/a.md"], unreadable: ["file:///d/x/": "Permission denied"])
    Crawl.reduce(&state, .listed(.found(contents)))
    Crawl.reduce(&state, .fileRead("file:///d/a.md", .markdown("[x](x/)")))
    Crawl.reduce(
      &state, .parsed("file:///d/a.md", .markdown("[x](x/)", at: "file:///d/a.md", in: state.scope)))
    Crawl.reduce(&state, .fileRead("file:///d/x/", .other))
    #expect(state.failure == nil)
    let report = Report(of: state, target: "d", name: { String($0.path) })
    #expect(report.text == "/d/x/:1: cannot be searched: Permission denied\n1 page, 1 link: 1 broken\n")
  }

  @Test("what is in a folder and cannot be looked at is told, unless it is a link that leads nowhere")
  func unknownFile() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(atPath: folder.file("b.md"), withDestinationPath: "b.md")
    // A folder so deep that the path of a file in it is longer than the system takes.
    var path = folder.path
    while path.utf8.count < Int(PATH_MAX) - 250 {
      path += "/" + String(repeating: "d", count: 200)
      #expect(mkdir(path, 0o700) == 0)
    }
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    let name = String(repeating: "f", count: 247) + ".md"
    close(openat(descriptor, name, O_WRONLY | O_CREAT, 0o600))
    defer { unlinkat(descriptor, name, 0) }
    var contents = FolderContents()
    contents.unreadable = [Address(file: "\(path)/\(name)"): SystemError.message(of: ENAMETOOLONG)]
    #expect(FolderListing(of: Address(file: folder.path + "/")) == .found(contents))
  }

  @Test("a folder in which nothing but an unreadable folder is found is told, not failed")
  func onlyUnreadable() {
    var state = Crawl.State(scope: Scope(folder: "/d"))
    Crawl.reduce(&state, .began(knowing: [:]))
    Crawl.reduce(&state, .listed(.found(FolderContents(unreadable: ["file:///d/x/": "no"]))))
    #expect(state.isFinished && state.failure == nil)
    #expect(Report(of: state, target: "d", name: { String($0.path) }).broken.map(\.page) == ["/d/x/"])
  }

  @Test("where a form is posted to need not answer to anything else")
  func forms() {
    let site = FakeSite(answers: [
      "http://a/": .html("<form method=post action=1></form><form method=post action=2></form><a href=1>"),
      "http://a/1": .status(405),
    ])
    var state = crawl()
    site.crawl(&state)
    let report = Report(of: state, target: "", name: { $0.text })
    #expect(report.broken.map(\.link) == ["2", "1"])
    #expect(report.links == 3)
  }

  @Test("redirects to ever new addresses are followed so far and no farther")
  func endlessRedirects() {
    var answers: [String: FakeSite.Answer] = ["http://a/": .html("<a href=r/0><a href=r/15>")]
    for step in 0..<100 { answers["http://a/r/\(step)"] = .redirect("/r/\(step + 1)") }
    var state = crawl()
    FakeSite(answers: answers).crawl(&state)
    #expect(state.isFinished)
    #expect(state.findings.count < 50)
    let report = Report(of: state, target: "", name: { $0.text })
    #expect(report.broken.map(\.message) == ["more than 20 redirects", "more than 20 redirects"])
  }

  @Test("what was found is told once")
  func newlyFound() {
    let site = FakeSite(answers: [
      "http://a/": .html("<a href=1><a href=2>"), "http://a/1": .html("<a href=2><a href=/>"),
      "http://a/2": .html("<a href=1><a href=/>"),
    ])
    var state = crawl()
    site.crawl(&state)
    #expect(state.takeNewlyFound().sorted() == ["http://a/", "http://a/1", "http://a/2"])
    #expect(state.takeNewlyFound() == [])
  }
}
