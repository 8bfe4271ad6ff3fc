import Foundation
import Millrace
import MillraceEffects
import MillraceStorage
import Testing

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
