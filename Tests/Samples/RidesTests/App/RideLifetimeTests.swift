import Millrace
import MillraceTestStore
import MillraceTesting
import RidesDomain
import RidesTracking
import Testing

@testable import rides

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
