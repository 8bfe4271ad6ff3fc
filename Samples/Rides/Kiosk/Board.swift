import RidesBooking

/// Describes the kiosk in words. Pure.
enum Board {
  static func lines(of state: Kiosk) -> [String] {
    ["left:  \(text(state.left))", "right: \(text(state.right))"]
      + state.departures.map { "departing: \($0.driver), \($0.route)" }
  }

  private static func text(_ order: Booking.Order) -> String {
    switch order {
    case .none: "where to?"
    case .pricing(let route): "pricing \(route)"
    case .priced(let route, let price): "\(route) for \(price)?"
    case .asking(let route, _): "asking, \(route)"
    case .refused(_, let failure): "sorry, \(failure.reason)"
    case .granted(let ride): "\(ride.driver) is coming"
    }
  }
}
