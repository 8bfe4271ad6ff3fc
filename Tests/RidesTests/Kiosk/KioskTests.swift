import Millrace
import MillraceTesting
import RidesBooking
import RidesDomain
import Testing

@testable import rides_kiosk

@Suite("The kiosk")
struct KioskTests {
  @Test("the same route at both screens is priced twice; withdrawing one leaves the other alone")
  func independence() async throws {
    struct Held: RideService {
      let gate = Gate()
      let asked = Recorder<Route>()
      func price(of route: Route) async throws(NoRide) -> Money {
        asked.append(route)
        await gate.waitIgnoringCancellation()
        return Money(cents: 1)
      }
      func ride(along: Route, for: String, fare: Money) async throws(NoRide) -> Booking.Ride {
        throw NoRide("not today")
      }
    }
    let service = Held()
    let store = Store(initialState: Kiosk(), on: .immediate, reduce: Kiosk.reduce)
    Kiosk.connect(to: store, service: service)
    let route = Route(from: Place("hotel"), to: Place("airport"))
    store.dispatch(.left(.destinationChosen(route.destination)))
    store.dispatch(.right(.destinationChosen(route.destination)))
    #expect(try await service.asked.values(count: 2) == [route, route])
    store.dispatch(.left(.withdrawn))
    service.gate.open()
    await store.settled()
    #expect(store.state.left == .none)
    #expect(store.state.right == .priced(route, Money(cents: 1)))
  }

  @Test("a morning: what was granted is on the board, and the third ride is refused")
  func morning() async {
    let lines = Recorder<String>()
    await KioskCommand.play { lines.append($0) }
    #expect(
      lines.values.suffix(6) == [
        "step 7", "  left:  sorry, all cars are out", "  right: where to?",
        "  departing: Ines, hotel to airport", "  departing: Yusuf, hotel to museum", "the end: clean",
      ])
  }
}
