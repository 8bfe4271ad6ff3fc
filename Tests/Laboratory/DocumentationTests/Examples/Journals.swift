import Foundation
import Millrace
import MillraceStorage
import Testing

@Suite struct JournalExamples {
  typealias Address = String
  struct Page: Codable, Equatable { var title: String }

  struct State: Equatable, Sendable {
    var pages = Journaling<Address, Page>()
  }

  enum AppAction: Sendable {
    case found(Address, Page)
    case journal(JournalEvent<Address, Page>)
  }

  static func reduce(_ state: inout State, _ action: AppAction) {
    switch action {
    case .found(let address, let page): state.pages[address] = page
    // JournalEffect
    case .journal(let event): state.pages.reduce(event)
    }
  }

  private let path = FileManager.default.temporaryDirectory.path + "/millrace-\(UUID().uuidString)"
  private let address = "https://example.com"
  private let page = Page(title: "Example")

  @Test("a journal is loaded and kept")
  func kept() async throws {
    let storage = JournalStorage<Address, Page>(at: path)
    let store = Store(initialState: State(), reduce: Self.reduce)
    // JournalEffect
    store.connect(JournalEffect(storage), to: \.pages.backlog, action: AppAction.journal)
    store.dispatch(.found(address, page))
    // JournalStorage.flush
    await store.shutdown()
    try await storage.flush(store.state.pages.backlog)
    #expect(try await storage.load().entries == [address: page])
    try await storage.remove()
  }

  @Test("a journal is used by hand")
  func byHand() async throws {
    let storage = JournalStorage<Address, Page>(at: path)
    // JournalStorage
    let stored = try await storage.load()
    try await storage.append([address: .set(page)])
    #expect(stored.entries.isEmpty)
    #expect(try await storage.load().entries == [address: page])
    try await storage.remove()
  }

  @Test("a dictionary takes down its changes")
  func journaling() {
    let event = JournalEvent<Address, Page>.saved(generation: 1)
    // Journaling
    var pages = Journaling<Address, Page>()
    pages[address] = page  // in the reducer: changes the entry and asks for it to be saved
    pages.reduce(event)  // in the reducer: applies an event of the effect
    #expect(pages.isSaved)
  }

  @Test("changes are taken down beside a dictionary")
  func backlog() {
    let event = JournalEvent<Address, Page>.saved(generation: 1)
    // JournalBacklog
    var pages: [Address: Page] = [:]
    var unsaved = JournalBacklog<Address, Page>()
    pages[address] = page
    unsaved.set(page, for: address)  // in the reducer, beside the change
    unsaved.reduce(event)  // in the reducer: applies an event of the effect
    #expect(unsaved.isSaved && pages.count == 1)
  }

  @Test("changes of a keyed collection are taken down")
  func rows() {
    struct Row: Identifiable, Equatable, Sendable {
      let id: Int
      var title: String
    }
    var rows: KeyedArray<Row> = [Row(id: 3, title: "a")]
    var unsaved = JournalBacklog<Int, Row>()
    // JournalBacklog.record
    let before = rows
    rows[id: 3]?.title = "changed"
    unsaved.record(from: before, to: rows)
    #expect(unsaved.unsavedCount == 1)
  }
}
