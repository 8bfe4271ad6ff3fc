import Foundation
import Millrace
import MillraceExplorer
import MillraceHTTP
import MillraceTestStore
import MillraceTesting
import RandomSession
import TestSupport
import Testing

@testable import LinkcheckReaders
@testable import linkcheck

/// A check of a folder of eight pages, each of which links to two others.
@Suite("The crawl, recorded and shrunk")
struct CrawlSessionTests {
  private func feature(
    _ reduce: @escaping Reducer<Crawl.State, Crawl.Action>
  ) -> Explorer<Crawl.State, Crawl.Action> {
    Explorer(initialState: Self.start, comparing: Self.seen, reduce: reduce, connect: Self.connect)
      .userActions { $0.phase == .idle ? [.began(knowing: [:])] : [] }
      .outcomes(of: Address.self, sending: FolderListing.self) { _ in
        let pages: [Address] = [
          "file:///d/a.md", "file:///d/b.md", "file:///d/c.md", "file:///d/d.md", "file:///d/e.md",
          "file:///d/f.md", "file:///d/g.md", "file:///d/h.md",
        ]
        return [.answers(.found(FolderContents(pages: pages)))]
      }
      .outcomes(of: Body.self, sending: (Address, Page).self) { [.answers(($0.address, $0.page()))] }
      .always("what is to be read is being read") { crawl, running in
        crawl.files.allSatisfy(running.contains)
      }
      .printingTests(using: "testStore()", comparing: "seen")
  }

  private func explorer(
    _ reduce: @escaping Reducer<Crawl.State, Crawl.Action>
  ) -> Explorer<Crawl.State, Crawl.Action> {
    feature(reduce).outcomes(of: FileRequest.self, sending: (Address, FileContent).self) { file in
      [Self.page(file.address), .missing, .unreadable("no")].map { .answers((file.address, $0)) }
    }
  }

  /// Few files cannot be read.
  private func session(
    _ reduce: @escaping Reducer<Crawl.State, Crawl.Action>
  ) -> Explorer<Crawl.State, Crawl.Action> {
    feature(reduce).outcomes(of: FileRequest.self, sending: (Address, FileContent).self) { file in
      let contents = Array(repeating: Self.page(file.address), count: 30) + [.missing, .unreadable("no")]
      return contents.map { .answers((file.address, $0)) }
    }
  }

  private static func page(_ address: Address) -> FileContent {
    let number = Int(address.text.filter(\.isNumber)) ?? 0
    return .markdown("[one](\(2 * number + 1).md) [other](\(2 * number + 2).md)")
  }

  private static var start: Crawl.State {
    var settings = Crawl.Settings()
    settings.jobs = 8
    return Crawl.State(scope: Scope(folder: "/d"), settings: settings)
  }

  @Sendable private static func connect(to store: Store<Crawl.State, Crawl.Action>) {
    Crawl.connect(to: store, client: HTTPClient())
  }

  /// What tells crawls apart: the phase, and where each address is.
  @Sendable private static func seen(_ crawl: Crawl.State) -> [String] {
    ["\(crawl.phase)"] + crawl.loading.keys.map { "loading \($0)" }.sorted()
      + crawl.bodies.keys.map { "reading \($0)" }.sorted()
      + crawl.findings.map { "\($0.value.isTrouble ? "broken" : "good") \($0.key)" }.sorted()
  }

  private func seen(_ crawl: Crawl.State) -> [String] { Self.seen(crawl) }

  /// The planted bug: a file that cannot be read keeps its job.
  @Sendable private static func forgetfulReduce(_ crawl: inout Crawl.State, _ action: Crawl.Action) {
    if case .fileRead(_, .unreadable) = action { return }
    Crawl.reduce(&crawl, action)
  }

  private func testStore(
    _ reduce: @escaping Reducer<Crawl.State, Crawl.Action> = Self.forgetfulReduce
  ) -> TestStore<Crawl.State, Crawl.Action> {
    TestStore(initialState: Self.start, reduce: reduce, connect: Self.connect)
  }

  @Test(
    "a file that keeps its job is found in three moves, and so in the recording of a long session by chance")
  func keptJob() async throws {
    let shortest = try #require(explorer(Self.forgetfulReduce).explore(states: 500).counterexamples.first)
    #expect(shortest.steps.count == 3, "\(shortest)")
    let shrunk = try await session(Self.forgetfulReduce).shrunkSession(seed: 1)
    let found = try #require(shrunk.counterexample)
    #expect(shrunk.recordedMoves == 400 && found.steps.count == 3, "\(shrunk)")
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation { await printedTest { testStore() } }
    await printedTest { testStore(Crawl.reduce) }
  }

  /// The test to which the session is shrunk.
  private func printedTest(_ testStore: () -> TestStore<Crawl.State, Crawl.Action>) async {
    let store = testStore()
    store.exhaustivity = .none
    store.send(.began(knowing: [:]))
    // swift-format-ignore
    if store.inProgress().contains("file:///d/" as Address) { store.answer("file:///d/" as Address, with: FolderListing.found(FolderContents(pages: ["file:///d/a.md", "file:///d/b.md", "file:///d/c.md", "file:///d/d.md", "file:///d/e.md", "file:///d/f.md", "file:///d/g.md", "file:///d/h.md"], tutorials: [], unreadable: [:]))) }
    // swift-format-ignore
    if store.inProgress().contains(FileRequest(address: "file:///d/e.md", largestPage: 2097152)) { store.answer(FileRequest(address: "file:///d/e.md", largestPage: 2097152), with: ("file:///d/e.md" as Address, FileContent.unreadable("no"))) }
    let holds: (Crawl.State, RunningRequests) -> Bool = { crawl, running in
      crawl.files.allSatisfy(running.contains)
    }
    #expect(holds(store.state, store.inProgress()))
    await store.finish()
  }
}

extension Address {
  /// The memberwise initializer by which a printed test writes an address.
  fileprivate init(text: String) { self.init(stringLiteral: text) }
}

// The actions of a crawl of files. An exchange with a server is recorded as text that shows no secrets, and so is no
// action that could be reduced again.

private enum FileAction: Codable {
  case began(knowing: [Address: Finding])
  case listed(FolderListing)
  case fileRead(Address, FileContent)
  case parsed(Address, Page)
  case stopped
}

extension Crawl.Action: Codable {
  public func encode(to encoder: any Encoder) throws {
    let action: FileAction =
      switch self {
      case .began(let findings): .began(knowing: findings)
      case .listed(let listing): .listed(listing)
      case .fileRead(let address, let content): .fileRead(address, content)
      case .parsed(let address, let page): .parsed(address, page)
      case .stopped: .stopped
      case .answered, .timer:
        throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "text"))
      }
    try action.encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    self =
      switch try FileAction(from: decoder) {
      case .began(let findings): .began(knowing: findings)
      case .listed(let listing): .listed(listing)
      case .fileRead(let address, let content): .fileRead(address, content)
      case .parsed(let address, let page): .parsed(address, page)
      case .stopped: .stopped
      }
  }
}
