import Foundation
import Millrace
import MillraceStorage
import MillraceTesting
import MillraceTrace

/// A payment that a crash may interrupt. It is never repeated blindly: the bank is asked first.
nonisolated enum PaymentOverCrash {
  struct Payment: Hashable, Codable, Sendable {
    /// The key of the payment, which the ledger and the bank keep for ever.
    var key: String
    var amount: Int
    var attempt = 1
  }

  struct State: Equatable, Sendable {
    /// A program that restarts stores these.
    var payments: Set<Payment> = []
    /// Payments begun in an earlier run of the program, with an unknown result.
    var doubtful: Set<Payment> = []
    var paid: [String] = []
  }

  enum Action: Equatable, Sendable {
    case paid(Payment)
    case ledger(OnceEvent<Payment>)
    case asked(Payment, isPaid: Bool)
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    func settle(_ payment: Payment) {
      state.payments.remove(payment)
      state.doubtful.remove(payment)
      state.paid.append(payment.key)
    }
    switch action {
    case .paid(let payment): settle(payment)
    case .asked(let payment, isPaid: true): settle(payment)
    case .asked(var payment, isPaid: false):
      // The payment was certainly not made. The next attempt declares that the repetition is intended.
      state.payments.remove(payment)
      state.doubtful.remove(payment)
      payment.attempt += 1
      state.payments.insert(payment)
    case .ledger(.interrupted(let payment, _)): state.doubtful.insert(payment)
    case .ledger(.ended(let payment, _)): settle(payment)
    case .ledger: break  // nothing was begun: it is asked for at the next start
    }
  }

  static func connect(
    to store: Store<State, Action>, ledger: Ledger<Payment>, pay: @escaping @Sendable (Payment) async -> Void,
    isPaid: @escaping @Sendable (String) async -> Bool
  ) {
    let paying = Effect { (payment: Payment, send: Send<Action>) in
      await pay(payment)
      await send(.paid(payment))
    }
    store.connect(
      paying.once(in: ledger, key: \.key, attempt: \.attempt, event: Action.ledger), when: \.payments,
      named: "pay")
    store.connect(when: \.doubtful, named: "ask") { payment, send in
      await send(.asked(payment, isPaid: await isPaid(payment.key)))
    }
  }
}

nonisolated extension Case {
  static let paymentOverCrash = Case(
    name: "payment", symptom: "a crash in the wrong moment pays twice, or not at all"
  ) { say in
    let path = FileManager.default.temporaryDirectory.path + "/millrace-payment-\(UUID().uuidString)"
    defer { for suffix in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    let (bank, gate) = (Recorder<String>(), Gate())
    // The first life ends in the middle of two payments: one has reached the bank, and one has not.
    let stored = PaymentOverCrash.State(payments: [
      .init(key: "rent", amount: 900), .init(key: "tea", amount: 4),
    ])
    func life(reaching: Set<String>, isLast: Bool) async throws {
      let ledger = Ledger<PaymentOverCrash.Payment>(at: path)
      let store = Store(initialState: stored, on: .immediate, reduce: PaymentOverCrash.reduce)
      try store.recordIfAsked()
      PaymentOverCrash.connect(
        to: store, ledger: ledger,
        pay: { payment in
          if reaching.contains(payment.key) { bank.append(payment.key) }
          if !isLast { try? await gate.wait() }
        },
        isPaid: { bank.values.contains($0) })
      if isLast {
        await store.settled()
        say("the second ends with \(store.state.paid.sorted()) paid, \(store.state.payments.count) open")
      } else {
        try await gate.waiters(atLeast: 2)
        say("the first life ends while two payments are on their way; the bank has \(bank.values)")
      }
      await store.shutdown()
      await ledger.close()
    }
    try await life(reaching: ["rent"], isLast: false)
    try await life(reaching: ["rent", "tea"], isLast: true)
    say("the bank has \(bank.values.sorted())")
  }
}
