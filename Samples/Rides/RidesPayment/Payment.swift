import RidesDomain

/// Paying for a ride: first by the passenger's credit, then by card.
public enum Payment {
  public enum State: Hashable, Sendable {
    case nothingDue
    case charging(Bill, attempt: Int)
    case declined(Bill, attempt: Int, Declined)
    /// The feature's outcome, which its host takes.
    case paid(Bill)
  }

  /// The amount due for one ride.
  public struct Bill: Codable, Hashable, Sendable {
    public let ride: Int
    public let total: Money
    /// The part of the amount paid by the passenger's credit.
    public var byCredit = Money.zero
    public var byCard: Money { total - byCredit }

    public init(ride: Int, total: Money) {
      self.ride = ride
      self.total = total
    }
  }

  public enum Action: Codable, Hashable, Sendable {
    case billed(Bill)
    case charged(ride: Int)
    case declined(ride: Int, Declined)
    case retried
  }

  /// Changes the state of the feature's host in place, without copying a part out and back.
  public static func reduce(_ host: inout some Paying, _ action: Action) {
    switch (action, host.payment) {
    case (.billed(var bill), .nothingDue):
      bill.byCredit = min(host.profile.credit, bill.total)
      host.profile.credit = host.profile.credit - bill.byCredit
      host.payment = bill.byCard > .zero ? .charging(bill, attempt: 1) : .paid(bill)
    case (.charged(let ride), .charging(let bill, _)) where ride == bill.ride:
      host.payment = .paid(bill)
    case (.declined(let ride, let failure), .charging(let bill, let attempt)) where ride == bill.ride:
      host.payment = .declined(bill, attempt: attempt, failure)
    case (.retried, .declined(let bill, let attempt, _)):
      // A finished request is not served again while it is the same; the attempt number makes it another one.
      host.payment = .charging(bill, attempt: attempt + 1)
    case (.billed, _), (.charged, _), (.declined, _), (.retried, _):
      break  // not the moment for it
    }
  }
}
