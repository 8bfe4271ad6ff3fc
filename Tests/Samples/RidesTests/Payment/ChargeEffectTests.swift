import Millrace
import MillraceTestStore
import MillraceTesting
import RidesDomain
import RidesPayment
import Testing

/// Declines the first charge and remembers all.
private struct Gateway: PaymentGateway {
  struct Charge: Equatable, Sendable {
    let amount: Money
    let passenger: String
    let ride: Int
  }
  let charges = Recorder<Charge>()

  func charge(_ amount: Money, to passenger: String, forRide number: Int) async throws(Declined) {
    charges.append(Charge(amount: amount, passenger: passenger, ride: number))
    if charges.count == 1 { throw Declined("no") }
  }
}

@Suite("Charging in a store of any state that can host it")
struct ChargeEffectTests {
  @Test("charges the shared profile's passenger once for each attempt")
  func attempts() async {
    let gateway = Gateway()
    let reduce = { @Sendable (wallet: inout Wallet, action: Payment.Action) in Payment.reduce(&wallet, action)
    }
    let store = TestStore(initialState: Wallet(), serving: .bodies, reduce: reduce) {
      $0.connectPayment(gateway: gateway, action: { $0 })
    }
    var bill = Payment.Bill(ride: 4, total: Money(cents: 13_50))
    store.send(.billed(bill)) {
      bill.byCredit = Money(cents: 10_00)
      ($0.profile.credit, $0.payment) = (.zero, .charging(bill, attempt: 1))
    }
    await store.receive(.declined(ride: 4, Declined("no"))) {
      $0.payment = .declined(bill, attempt: 1, Declined("no"))
    }
    store.send(.retried) { $0.payment = .charging(bill, attempt: 2) }
    await store.receive(.charged(ride: 4)) { $0.payment = .paid(bill) }
    await store.finish()
    let charge = Gateway.Charge(amount: Money(cents: 3_50), passenger: "Ada", ride: 4)
    #expect(gateway.charges.values == [charge, charge])
  }
}
