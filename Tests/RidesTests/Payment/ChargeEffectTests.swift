import Millrace
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
    let store = Store(initialState: Wallet(), on: .immediate) { wallet, action in
      Payment.reduce(&wallet, action)
    }
    store.connectPayment(gateway: gateway, action: { $0 })
    store.dispatch(.billed(Payment.Bill(ride: 4, total: Money(cents: 13_50))))
    await store.settled()
    guard case .declined = store.state.payment else {
      Issue.record("\(store.state.payment)")
      return
    }
    store.dispatch(.retried)
    await store.settled()
    guard case .paid(let bill) = store.state.payment else {
      Issue.record("\(store.state.payment)")
      return
    }
    #expect(bill.byCard == Money(cents: 3_50))
    let charge = Gateway.Charge(amount: Money(cents: 3_50), passenger: "Ada", ride: 4)
    #expect(gateway.charges.values == [charge, charge])
  }
}
