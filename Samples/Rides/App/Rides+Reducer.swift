import RidesBooking
import RidesPayment
import RidesProfile
import RidesTracking

extension Rides {
  /// Passes each action to its feature, then handles the feature's outcome.
  static func reduce(_ state: inout Rides, _ action: Action) {
    switch action {
    case .account(let action):
      guard !state.isRiding || !action.changesPassenger else { return }
      Account.reduce(&state.account, action)
      // An order belongs to the passenger who began it.
      if action.changesPassenger { state.order = .none }
    case .booking(let action):
      // One ride at a time: a booked ride is taken and paid before the next.
      guard state.ride == nil, state.payment == .nothingDue, !state.isSigningIn else { return }
      Booking.reduce(&state.booking, action)
      state.rideMayHaveBeenGranted()
    case .tracking(let action):
      guard var ride = state.ride else { return }
      Tracking.reduce(&ride, action)
      state.ride = ride
      state.rideMayHaveEnded()
    case .payment(let action):
      Payment.reduce(&state, action)
      state.billMayHaveBeenPaid()
    }
  }

  private mutating func rideMayHaveBeenGranted() {
    guard case .granted(let granted) = order else { return }
    order = .none
    ride = Tracking.State(
      id: granted.number, driver: granted.driver, fare: granted.fare,
      position: .approaching(minutesLeft: 2))
  }

  private mutating func rideMayHaveEnded() {
    guard let ended = ride, let outcome = ended.outcome else { return }
    ride = nil
    switch outcome {
    case .arrived(let amount), .calledOff(let amount):
      guard amount > .zero else { return }
      Payment.reduce(&self, .billed(Payment.Bill(ride: ended.id, total: amount)))
      billMayHaveBeenPaid()
    }
  }

  private mutating func billMayHaveBeenPaid() {
    guard case .paid(let bill) = payment else { return }
    payment = .nothingDue
    paid.append(bill)
  }
}

extension Account.Action {
  fileprivate var changesPassenger: Bool {
    if case .movedHouse = self { false } else { true }
  }
}
