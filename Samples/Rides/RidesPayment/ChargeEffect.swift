import Millrace
import RidesDomain

/// Charges the amount due. The charge stays in the state until its result is reduced.
public struct ChargeEffect: EffectComponent {
  private let gateway: any PaymentGateway

  public init(gateway: any PaymentGateway) { self.gateway = gateway }

  public struct Charge: Hashable, Sendable {
    let bill: Payment.Bill
    let attempt: Int
    let passenger: String
  }

  public func requests(in charge: Charge?) -> Set<Charge> {
    charge.map { [$0] } ?? []
  }

  public func run(_ charge: Charge, send: Send<Payment.Action>) async throws(Declined) {
    let bill = charge.bill
    try await gateway.charge(bill.byCard, to: charge.passenger, forRide: bill.ride)
    await send(.charged(ride: bill.ride))
  }

  public func action(for failure: Declined, of charge: Charge) -> Payment.Action {
    .declined(ride: charge.bill.ride, failure)
  }
}

extension Paying {
  /// The charge in progress.
  var charge: ChargeEffect.Charge? {
    guard case .charging(let bill, let attempt) = payment else { return nil }
    return ChargeEffect.Charge(bill: bill, attempt: attempt, passenger: profile.name)
  }
}

extension Store where State: Paying {
  /// Connects the payment feature to a store of any state that can host it.
  public func connectPayment(
    gateway: any PaymentGateway, action: @escaping @Sendable (Payment.Action) -> Action
  ) {
    scope(computed: \.charge, action: action).connect(ChargeEffect(gateway: gateway))
  }
}
