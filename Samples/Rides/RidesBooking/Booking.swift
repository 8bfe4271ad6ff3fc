import RidesDomain

/// Choosing where to go, seeing the price, asking for a ride.
public enum Booking {
  public struct State: Hashable, Sendable {
    /// Shared with other features: read for the starting place, changed when the passenger goes somewhere.
    public var profile: Profile
    public var order: Order

    public init(profile: Profile, order: Order = .none) {
      self.profile = profile
      self.order = order
    }
  }

  /// The progress of an order. `granted` is the feature's outcome, which its host takes.
  public enum Order: Hashable, Sendable {
    case none
    case pricing(Route)
    case priced(Route, Money)
    case asking(Route, Money)
    case refused(Route, NoRide)
    case granted(Ride)
  }

  /// A granted ride.
  public struct Ride: Codable, Hashable, Sendable {
    public let number: Int
    public let driver: String
    public let route: Route
    public let fare: Money

    public init(number: Int, driver: String, route: Route, fare: Money) {
      self.number = number
      self.driver = driver
      self.route = route
      self.fare = fare
    }
  }

  public enum Action: Codable, Hashable, Sendable {
    case destinationChosen(Place)
    case priceArrived(Money)
    case confirmed
    case granted(Ride)
    case refused(NoRide)
    case withdrawn
  }

  public static func reduce(_ state: inout State, _ action: Action) {
    switch (action, state.order) {
    case (.destinationChosen(let place), _):
      state.order = .pricing(Route(from: state.profile.home, to: place))
    case (.priceArrived(let price), .pricing(let route)):
      state.order = .priced(route, price)
    case (.confirmed, .priced(let route, let price)):
      state.order = .asking(route, price)
    case (.granted(let ride), .asking(let route, _)):
      state.order = .granted(ride)
      state.profile.recent.removeAll { $0 == route.destination }
      state.profile.recent.insert(route.destination, at: 0)
    case (.refused(let failure), .pricing(let route)), (.refused(let failure), .asking(let route, _)):
      state.order = .refused(route, failure)
    case (.withdrawn, _):
      state.order = .none
    case (.priceArrived, _), (.confirmed, _), (.granted, _), (.refused, _):
      break  // not the moment for it
    }
  }
}
