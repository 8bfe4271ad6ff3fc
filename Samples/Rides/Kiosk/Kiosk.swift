import Millrace
import RidesBooking
import RidesDomain

/// A hotel's desk with two screens for ordering rides. Uses the booking feature of the other app twice.
struct Kiosk: Hashable, Sendable {
  /// The hotel, where all guests start.
  var house = Profile(name: "Grand Hotel", home: Place("hotel"))
  var left = Booking.Order.none
  var right = Booking.Order.none
  var departures: [Booking.Ride] = []

  enum Action: Codable, Hashable, Sendable {
    case left(Booking.Action)
    case right(Booking.Action)
  }

  var leftBooking: Booking.State {
    get { Booking.State(profile: house, order: left) }
    set { (house, left) = (newValue.profile, newValue.order) }
  }

  var rightBooking: Booking.State {
    get { Booking.State(profile: house, order: right) }
    set { (house, right) = (newValue.profile, newValue.order) }
  }

  static func reduce(_ state: inout Kiosk, _ action: Action) {
    switch action {
    case .left(let action):
      Booking.reduce(&state.leftBooking, action)
      state.take(\.left)
    case .right(let action):
      Booking.reduce(&state.rightBooking, action)
      state.take(\.right)
    }
  }

  /// Puts a granted ride on the board, and frees the screen for the next guest.
  private mutating func take(_ order: WritableKeyPath<Kiosk, Booking.Order>) {
    guard case .granted(let ride) = self[keyPath: order] else { return }
    departures.append(ride)
    self[keyPath: order] = .none
  }

  static func connect(to store: Store<Kiosk, Action>, service: any RideService) {
    Booking.connect(to: store.scope(\.leftBooking, action: Action.left), service: service)
    Booking.connect(to: store.scope(\.rightBooking, action: Action.right), service: service)
  }
}
