import Millrace
import MillraceTestStore
import MillraceTesting
import RidesBooking
import RidesDomain
import Testing

@testable import rides_kiosk

@Suite("The kiosk")
struct KioskTests {
  @Test("the same route at both screens is priced twice; withdrawing one leaves the other alone")
  func independence() async {
    let store = TestStore(initialState: Kiosk(), reduce: Kiosk.reduce) {
      Kiosk.connect(to: $0, service: HotelFleet())
    }
    let route = Route(from: Place("hotel"), to: Place("airport"))
    store.send(.left(.destinationChosen(route.destination))) { $0.left = .pricing(route) }
    store.send(.right(.destinationChosen(route.destination))) { $0.right = .pricing(route) }
    store.expect(running: route, route)
    store.send(.left(.withdrawn)) { $0.left = .none }
    store.answer(route, with: Booking.Action.priceArrived(.zero)) { $0.right = .priced(route, .zero) }
    await store.finish()
  }

  @Test("a morning: what was granted is on the board, and the third ride is refused")
  func morning() async throws {
    let lines = Recorder<String>()
    try await KioskCommand.play { lines.append($0) }
    #expect(
      lines.values.suffix(6) == [
        "step 7", "  left:  sorry, all cars are out", "  right: where to?",
        "  departing: Ines, hotel to airport", "  departing: Yusuf, hotel to museum", "the end: clean",
      ])
  }
}
