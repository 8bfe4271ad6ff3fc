import RidesBooking
import RidesDomain
import RidesPayment
import RidesProfile
import RidesTracking

/// Describes the app in words. Pure.
enum Narrator {
  /// Describes an action and the state after it.
  static func lines(for action: Rides.Action, _ state: Rides) -> [String] {
    switch action {
    case .account(.nameEntered) where state.isRiding, .account(.signedOut) where state.isRiding:
      ["not while you ride"]
    case .account(let action): lines(for: action)
    case .booking(.granted): [line(for: state.ride)]
    case .booking: line(for: state.order).map { [$0] } ?? []
    case .tracking: state.ride.map { [line(for: $0)] } ?? ["the ride is over"] + lines(paying: state)
    case .payment: lines(paying: state)
    }
  }

  private static func lines(for action: Account.Action) -> [String] {
    switch action {
    case .nameEntered(let name): ["looking up \(name)"]
    case .profileArrived(let profile): ["welcome, \(profile.name); your credit is \(profile.credit)"]
    case .refused(let failure): ["nobody is called \(failure.name)"]
    case .movedHouse(let place): ["you will be fetched at the \(place)"]
    case .signedOut: ["goodbye"]
    }
  }

  private static func line(for order: Booking.Order) -> String? {
    switch order {
    case .none: nil
    case .pricing(let route): "pricing \(route)"
    case .priced(let route, let price): "\(route) costs \(price)"
    case .asking(let route, _): "asking for a ride, \(route)"
    case .refused(_, let failure): "no ride: \(failure.reason)"
    case .granted: nil
    }
  }

  private static func line(for ride: Tracking.State?) -> String {
    guard let ride else { return "no ride" }
    return switch ride.position {
    case .approaching(let minutes): "ride \(ride.id): \(ride.driver) is \(minutes) min away"
    case .underWay(let minutes): "ride \(ride.id): \(ride.driver) drives you, \(minutes) min left"
    case .arrived: "ride \(ride.id): you have arrived"
    case .calledOff: "ride \(ride.id): called off"
    }
  }

  private static func lines(paying state: Rides) -> [String] {
    switch state.payment {
    case .nothingDue: state.paid.last.map { ["\($0.total) paid, \($0.byCredit) of it by credit"] } ?? []
    case .charging(let bill, let attempt): ["charging \(bill.byCard), attempt \(attempt)"]
    case .declined(let bill, _, let failure): ["\(bill.byCard) declined: \(failure.reason)"]
    case .paid: []
    }
  }

  /// The whole state in a few lines.
  static func status(of state: Rides) -> [String] {
    let profile = state.profile
    let recent = profile.recent.map(\.name).joined(separator: ", ")
    return [
      "\(profile.name) at the \(profile.home), credit \(profile.credit)"
        + (recent.isEmpty ? "" : ", went to: \(recent)"),
      line(for: state.ride),
      state.paid.isEmpty
        ? "nothing paid" : "paid \(state.paid.map(\.total).reduce(.zero, +)) for \(state.paid.count)",
    ]
  }
}
