import Millrace
import MillraceTestStore
import MillraceTesting
import RidesDomain
import RidesTracking
import Testing

/// A vehicle that arrives in the third minute.
private struct Feed: VehicleFeed {
  func position(ofRide number: Int, minute: Int) async -> Tracking.Position {
    minute < 3 ? .underWay(minutesLeft: 3 - minute) : .arrived
  }
}

@Suite("Following a ride")
struct FollowEffectTests {
  private let start = Tracking.State(
    id: 1, driver: "Kofi", fare: Money(cents: 9_00), position: .underWay(minutesLeft: 3))

  private func testStore(
    serving: RunServing, clock: TestClock
  ) -> TestStore<Tracking.State, Tracking.Action> {
    TestStore(initialState: start, serving: serving, reduce: Tracking.reduce) {
      Tracking.connect(to: $0, feed: Feed(), clock: clock)
    }
  }

  @Test("in a store of its own it polls once a minute until the ride is over")
  func minutes() async {
    let clock = TestClock()
    let store = testStore(serving: .bodies, clock: clock)
    await store.advance(clock, by: .seconds(59))
    for minute in 1...3 {
      await store.advance(clock, by: minute == 1 ? .seconds(1) : .seconds(60))
      let position = await Feed().position(ofRide: 1, minute: minute)
      await store.receive(.minutePassed(position)) { ($0.minute, $0.position) = (minute, position) }
    }
    await store.finish()
    #expect(store.state.outcome == .arrived(fare: Money(cents: 9_00)) && clock.sleepers.isEmpty)
  }

  @Test("a ride that is called off is polled no more")
  func calledOff() async {
    let store = testStore(serving: .answered, clock: TestClock())
    store.send(.calledOff) { $0.position = .calledOff(fee: Money(cents: 4_50)) }
    store.expect(stopped: Array(FollowEffect(feed: Feed(), clock: TestClock()).requests(in: start)))
    await store.finish()
  }
}
