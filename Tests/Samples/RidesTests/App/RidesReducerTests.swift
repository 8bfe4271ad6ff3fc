import Millrace
import MillraceTestStore
import MillraceTesting
import RidesBooking
import RidesDomain
import RidesPayment
import RidesProfile
import RidesTracking
import Testing

@testable import rides

@Suite("The app's reducer")
struct RidesReducerTests {
  private static let route = Route(from: Place("old town"), to: Place("airport"))
  private static let fare = Money(cents: 13_50)
  private let ada = Profile(name: "Ada", home: Place("old town"), credit: Money(cents: 10_00))

  private func reduced(_ state: Rides, _ actions: Rides.Action...) -> Rides {
    actions.reduce(into: state, Rides.reduce)
  }

  private var riding: Rides {
    var state = Rides()
    state.profile = ada
    state.ride = Tracking.State(
      id: 1, driver: "Kofi", fare: Self.fare, position: .underWay(minutesLeft: 1))
    return state
  }

  @Test("two features see one profile: what one writes the other reads, and the app keeps it once")
  func sharedProfile() {
    let state = reduced(Rides(), .account(.profileArrived(ada)))
    #expect(state.booking.profile == ada)
    let moved = reduced(
      state, .account(.movedHouse(to: Place("harbour"))), .booking(.destinationChosen(Place("zoo"))))
    #expect(moved.order == .pricing(Route(from: Place("harbour"), to: Place("zoo"))))
  }

  @Test("a granted order becomes a ride, and the order is done with")
  func granted() {
    var state = Rides()
    state.order = .asking(Self.route, Self.fare)
    let ride = Booking.Ride(number: 3, driver: "Kofi", route: Self.route, fare: Self.fare)
    state = reduced(state, .booking(.granted(ride)))
    #expect(state.order == .none)
    #expect(state.ride?.id == 3)
    #expect(state.profile.recent == [Self.route.destination])
  }

  @Test("a ride that arrives is billed in the same step; the payment takes the shared credit")
  func arrived() {
    let state = reduced(riding, .tracking(.minutePassed(.arrived)))
    #expect(state.ride == nil)
    guard case .charging(let bill, attempt: 1) = state.payment else {
      Issue.record("\(state.payment)")
      return
    }
    #expect((bill.ride, bill.byCard) == (1, Money(cents: 3_50)))
    #expect(state.booking.profile.credit == .zero)
  }

  @Test("a bill that credit covers is paid in the very step in which the ride ends")
  func paidAtOnce() {
    let state = reduced(riding, .tracking(.calledOff))
    #expect(state.payment == .nothingDue)
    #expect(state.paid.map(\.total) == [Money(cents: 6_75)])
    #expect(state.profile.credit == Money(cents: 3_25))
  }

  @Test("while somebody rides nobody books, signs in or signs out")
  func busy() {
    #expect(reduced(riding, .booking(.destinationChosen(Place("zoo")))) == riding)
    #expect(reduced(riding, .account(.signedOut)) == riding)
    #expect(reduced(riding, .account(.nameEntered("bob"))) == riding)
  }

  @Test("tracking and payment are ignored where there is no ride and nothing due")
  func nothingThere() {
    #expect(reduced(Rides(), .tracking(.calledOff), .payment(.retried)) == Rides())
  }
}

@Suite("The ride's lifetime")
struct RideLifetimeTests {
  @Test("the ride is followed only while it is booked, and leaves nothing behind")
  func lifetime() async {
    let clock = TestClock()
    let store = TestStore(initialState: Rides(), serving: .bodies, reduce: Rides.reduce) {
      Rides.connect(to: $0, world: City(), clock: clock)
    }
    store.exhaustivity = .none
    let idle = store.store.activity.entries.count
    for action in [Rides.Action.booking(.destinationChosen(Place("airport"))), .booking(.confirmed)] {
      store.send(action)
      await store.settle()
    }
    #expect(store.state.ride != nil && clock.sleepers.count == 1)
    #expect(store.store.activity.entries.count == idle + 1)

    store.send(.tracking(.calledOff)) { $0.ride = nil }
    await store.settle()
    #expect(clock.sleepers.isEmpty)
    #expect(store.store.activity.entries.count == idle)
    await store.finish()
  }
}
