import RidesDomain
import RidesTracking
import Testing

@Suite("Tracking's reducer")
struct TrackingTests {
  private func ride(_ position: Tracking.Position) -> Tracking.State {
    Tracking.State(id: 1, driver: "Kofi", fare: Money(cents: 9_00), position: position)
  }

  @Test("each minute brings a position; arriving is the outcome, at the whole fare")
  func arriving() {
    var ride = ride(.approaching(minutesLeft: 1))
    Tracking.reduce(&ride, .minutePassed(.underWay(minutesLeft: 1)))
    #expect((ride.minute, ride.outcome) == (1, nil))
    Tracking.reduce(&ride, .minutePassed(.arrived))
    #expect((ride.minute, ride.outcome) == (2, .arrived(fare: Money(cents: 9_00))))
  }

  @Test("calling off is free until the ride is under way, and then costs half")
  func callingOff() {
    var ahead = ride(.approaching(minutesLeft: 1))
    Tracking.reduce(&ahead, .calledOff)
    #expect(ahead.outcome == .calledOff(fee: .zero))
    var underWay = ride(.underWay(minutesLeft: 1))
    Tracking.reduce(&underWay, .calledOff)
    #expect(underWay.outcome == .calledOff(fee: Money(cents: 4_50)))
  }

  @Test(
    "a ride that is over stays as it ended", arguments: [Tracking.Position.arrived, .calledOff(fee: .zero)])
  func over(position: Tracking.Position) {
    var ride = ride(position)
    Tracking.reduce(&ride, .calledOff)
    Tracking.reduce(&ride, .minutePassed(.underWay(minutesLeft: 3)))
    #expect(ride == self.ride(position))
  }
}
