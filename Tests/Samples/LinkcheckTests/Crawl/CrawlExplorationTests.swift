import Foundation
import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceHTTP
import MillraceTestStore
import MillraceTesting
import TestSupport
import Testing

@testable import LinkcheckReaders
@testable import linkcheck

/// Everything that may happen to a check of a folder with three pages, of which each may link to another site.
@Suite("The crawl, explored")
struct CrawlExplorationTests {
  private func explorer(
    _ reduce: @escaping Reducer<Crawl.State, Crawl.Action>
  ) -> Explorer<Crawl.State, Crawl.Action> {
    Explorer(initialState: Self.start, comparing: Self.seen, reduce: reduce, connect: Self.connect)
      .userActions { $0.phase == .idle ? [.began(knowing: [:])] : [.stopped] }
      .outcomes(of: Address.self, sending: FolderListing.self) { _ in
        [
          .answers(.unreadable("no")), .answers(.found(FolderContents())),
          .answers(.found(FolderContents(pages: ["file:///d/a.md", "file:///d/b.md", "file:///d/c.md"]))),
        ]
      }
      .outcomes(of: FileRequest.self, sending: (Address, FileContent).self) { file in
        [.markdown("[a](a.md) [far](http://far/)"), .missing, .unreadable("no")]
          .map { .answers((file.address, $0)) }
      }
      .outcomes(of: Body.self, sending: (Address, Page).self) { [.answers(($0.address, $0.page()))] }
      .outcomes(of: HTTPRequest.self, sending: HTTPEvent.self) { request in
        [
          .answers(.response(HTTPResponse(), to: request)),
          .answers(.response(HTTPResponse(status: 405), to: request)),
          .answers(.failed(.timedOut, of: request)),
        ]
      }
      .always("each address is in one place, and no more at once than there are jobs", \.isConsistent)
      .always("until the check ends something is under way") { crawl, running in
        crawl.phase != .running || crawl.isFinished || !running.isEmpty
      }
      .never("work after a stop") { crawl, running in crawl.phase == .stopped && !running.isEmpty }
  }

  private static var start: Crawl.State {
    var settings = Crawl.Settings()
    settings.jobs = 2
    return Crawl.State(scope: Scope(folder: "/d"), settings: settings)
  }

  @Sendable private static func connect(to store: Store<Crawl.State, Crawl.Action>) {
    Crawl.connect(to: store, client: HTTPClient())
  }

  /// What tells crawls apart: where each address is. What a page says does not change.
  @Sendable private static func seen(_ crawl: Crawl.State) -> [String] {
    func attempts(_ place: String, _ loads: [Address: Crawl.Load]) -> [String] {
      loads.map { "\(place) \($0.key), attempt \($0.value.attempt)\($0.value.isHead ? " by HEAD" : "")" }
        .sorted()
    }
    let waiting = crawl.waiting.map { "waiting \($0.address), attempt \($0.load?.attempt ?? 1)" }
    return ["\(crawl.phase)"] + waiting + attempts("loading", crawl.loading)
      + attempts("delayed", crawl.delayed) + crawl.bodies.keys.map { "reading \($0)" }.sorted()
      + crawl.findings.map { "\($0.value.isTrouble ? "broken" : "good") \($0.key)" }.sorted()
  }

  /// The planted bug: a file that cannot be read keeps its job.
  @Sendable private static func forgetfulReduce(_ crawl: inout Crawl.State, _ action: Crawl.Action) {
    if case .fileRead(_, .unreadable) = action { return }
    Crawl.reduce(&crawl, action)
  }

  private func read(_ name: String) -> String {
    "FileRequest(address: file:///d/\(name).md, largestPage: 2097152)"
  }

  @Test("whatever is found, each address is in one place, and the check goes on until it ends or is stopped")
  func shipped() {
    let report = explorer(Crawl.reduce).explore(states: 3_000)
    #expect(report.isClean && report.bounds.isEmpty, "\(report)")
    #expect(report.counts.states == 389)
  }

  @Test("files that cannot be read and keep their jobs are found in four moves")
  func keptJobs() throws {
    let found = try #require(explorer(Self.forgetfulReduce).explore(states: 3_000).counterexamples.first)
    let pages = "file:///d/a.md, file:///d/b.md, file:///d/c.md"
    #expect(
      PrintedStory(found.story).moves == [
        "the user sends .began(knowing: [:])",
        "FolderSearch file:///d/ answers .found("
          + "FolderContents(pages: [\(pages)], tutorials: [], unreadable: [:]))",
        #"FileReading \#(read("a")) answers (file:///d/a.md, .unreadable("no"))"#,
        #"FileReading \#(read("b")) answers (file:///d/b.md, .unreadable("no"))"#,
      ])
  }
}
