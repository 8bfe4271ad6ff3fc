import Millrace
import MillraceTesting
import RidesDomain
import RidesTracking
import Testing

@testable import rides

@Suite("The ride's lifetime")
struct RideLifetimeTests {
  @Test("the ride is followed only while it is booked, and leaves nothing behind")
  func lifetime() async throws {
    let clock = TestClock()
    let store = Store(initialState: Rides(), on: .immediate, reduce: Rides.reduce)
    Rides.connect(to: store, world: City(), clock: clock)
    let idle = store.activity.entries.count
    #expect(clock.sleepers.isEmpty)

    for action in [Rides.Action.booking(.destinationChosen(Place("airport"))), .booking(.confirmed)] {
      store.dispatch(action)
      await store.settled()
    }
    #expect(store.state.ride != nil)
    #expect(store.activity.entries.count == idle + 1)
    try await clock.sleepers(atLeast: 1)

    store.dispatch(.tracking(.calledOff))
    await store.settled()
    #expect(store.state.ride == nil)
    #expect(store.activity.entries.count == idle)
    #expect(clock.sleepers.isEmpty)
  }
}
