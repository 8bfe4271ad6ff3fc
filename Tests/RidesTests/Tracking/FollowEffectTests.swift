import Millrace
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

  @Test("in a store of its own it polls once a minute until the ride is over")
  func minutes() async throws {
    let clock = TestClock()
    let store = Store(initialState: start, on: .immediate, reduce: Tracking.reduce)
    Tracking.connect(to: store, feed: Feed(), clock: clock)
    for minute in 1...3 {
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(59))
      #expect(store.state.minute == minute - 1)
      clock.advance(by: .seconds(1))
      _ = await store.values(of: \.self).first { $0.minute == minute }
    }
    #expect(store.state.outcome == .arrived(fare: Money(cents: 9_00)))
    await store.shutdown()
    #expect(clock.sleepers.isEmpty)
  }

  @Test("a ride that is called off is polled no more, and the clock is left")
  func calledOff() async throws {
    let clock = TestClock()
    let store = Store(initialState: start, on: .immediate, reduce: Tracking.reduce)
    Tracking.connect(to: store, feed: Feed(), clock: clock)
    try await clock.sleepers(atLeast: 1)
    store.dispatch(.calledOff)
    await store.settled()
    #expect(clock.sleepers.isEmpty)
    #expect(store.activity.entries.flatMap(\.work).isEmpty)
    #expect(store.state.minute == 0)
  }
}
