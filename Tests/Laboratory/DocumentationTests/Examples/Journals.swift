import Foundation
import Millrace
import MillraceEffects
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

@Suite struct LedgerExamples {
  struct Payment: Hashable, Codable, Sendable {
    var id: String
    var attempt = 1
  }

  actor Bank {
    private(set) var paid: [String] = []
    func pay(_ id: String) { paid.append(id) }
  }

  enum AppAction: Sendable {
    case payment(PaymentAction)
    case ledger(LedgerEvent<Payment>)
    case asked(Payment, isPaid: Bool)
  }

  enum PaymentAction: Sendable {
    case paid(Payment)
    case once(OnceEvent<Payment>)
  }

  struct PaymentEffect: EffectComponent {
    let bank: Bank
    func requests(in payments: Set<Payment>) -> Set<Payment> { payments }
    func run(_ payment: Payment, send: Send<PaymentAction>) async {
      await bank.pay(payment.id)
      await send(.paid(payment))
    }
  }

  struct State: Equatable, Sendable {
    var payments: Set<Payment> = []
    var interruptions = Interruptions<Payment>()

    static func reduce(_ state: inout State, _ action: AppAction) {
      switch action {
      // LedgerEffect
      case .ledger(let event): state.interruptions.reduce(event)
      case .asked(var payment, isPaid: false):  // the bank knows nothing of it
        state.interruptions.decided(LedgerKey(payment.id))
        payment.attempt += 1  // shows that the repetition is intended
        state.payments.insert(payment)
      case .asked(let payment, isPaid: true): state.interruptions.giveUp(LedgerKey(payment.id))
      case .payment(.paid(let payment)): state.payments.remove(payment)
      case .payment(.once): break
      }
    }
  }

  @Test("a payment is written down, made once, and its interruption is told")
  func payments() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/millrace-\(UUID().uuidString)"
    defer { for suffix in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    let ledger = Ledger<Payment>(at: path)
    let bank = Bank()
    let store = Store(initialState: State(payments: [Payment(id: "p-1")]), reduce: State.reduce)
    // EffectComponent+Once
    let payments = PaymentEffect(bank: bank)
      .once(in: ledger, key: \.id, attempt: \.attempt) { event in .once(event) }
    store.connect(payments, to: \.payments, action: AppAction.payment)
    // LedgerEffect
    store.connect(LedgerEffect(ledger), to: \.interruptions, action: AppAction.ledger)
    await store.settled()
    #expect(await bank.paid == ["p-1"])
    #expect(store.state.payments.isEmpty && store.state.interruptions.isKnown)
  }

  @Test("interruptions are decided about")
  func interruptions() {
    let payment = Payment(id: "p-1")
    // Interruptions
    var interruptions = Interruptions<Payment>()
    interruptions.reduce(.interrupted(payment, key: "p-1"))
    interruptions.giveUp("p-1")  // in the reducer: the ledger forgets it
    #expect(interruptions.undecided.isEmpty)
  }

  @Test("a key has a text")
  func key() {
    // LedgerKey
    let key: LedgerKey = "p-1"
    print(key.text)  // p-1
    #expect(key == LedgerKey("p-1"))
  }

  private func ledger() -> Ledger<Payment> {
    // Ledger
    let ledger = Ledger<Payment>(at: "/home/me/.payments")
    return ledger
  }
}
