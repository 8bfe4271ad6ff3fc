import RidesDomain
import RidesPayment
import Testing

@Suite("Payment's reducer")
struct PaymentTests {
  private func bill(_ cents: Int, byCredit credit: Int = 0) -> Payment.Bill {
    var bill = Payment.Bill(ride: 1, total: Money(cents: cents))
    bill.byCredit = Money(cents: credit)
    return bill
  }

  @Test("credit that is enough pays at once, and is taken from the shared profile")
  func creditAlone() {
    var wallet = Wallet()
    Payment.reduce(&wallet, .billed(bill(6_00)))
    #expect(wallet.payment == .paid(bill(6_00, byCredit: 6_00)))
    #expect(wallet.profile.credit == Money(cents: 4_00))
  }

  @Test("an answer about another ride, and a retry of nothing, change nothing")
  func wrongMoment() {
    var wallet = Wallet()
    Payment.reduce(&wallet, .retried)
    #expect(wallet == Wallet())
    Payment.reduce(&wallet, .billed(bill(13_50)))
    let charging = wallet
    for action in [Payment.Action.charged(ride: 2), .declined(ride: 2, Declined("no")), .billed(bill(1))] {
      Payment.reduce(&wallet, action)
      #expect(wallet == charging)
    }
  }
}
