import LonelyTimer
import Millrace
import MillraceExplorer
import MillraceTesting
import RidesBooking
import RidesDomain

/// Measures how fast an explorer explores two samples: the booking of rides, and a list of timers.
enum ExploringSamples {
  static let cases: [BenchmarkCase] =
    Exploring.cases("explore/rides", states: 100_000) { booking }
    + Exploring.cases("explore/timers", states: 20_000) { timers }

  // MARK: Booking

  /// Never called, since no body is executed.
  private struct NoService: RideService {
    func price(of route: Route) async throws(NoRide) -> Money { throw NoRide("") }
    func ride(along route: Route, for passenger: String, fare: Money) async throws(NoRide) -> Booking.Ride {
      throw NoRide("")
    }
  }

  private static let places = ["airport", "harbour", "museum", "opera", "park", "station", "zoo"].map(
    Place.init)

  /// A passenger who may go everywhere, in every order. The state has strings, an array, and an enum with associated
  /// values; there are two effects, and about ten moves a state.
  private static var booking: Explorer<Booking.State, Booking.Action> {
    Explorer(
      initialState: Booking.State(profile: Profile(name: "Ada", home: Place("old town"))),
      reduce: Booking.reduce, connect: { Booking.connect(to: $0, service: NoService()) }
    )
    .userActions { _ in places.map { .destinationChosen($0) } + [.confirmed, .withdrawn] }
    .outcomes(of: Route.self) { route in
      [
        .answers(.priceArrived(Money(cents: 100 * route.destination.name.utf8.count))),
        .fails(NoRide("no road")),
      ]
    }
    .outcomes(of: AskForRideEffect.Request.self) { asked in
      let ride = Booking.Ride(number: 1, driver: "Kofi", route: asked.route, fare: asked.fare)
      return [.answers(.granted(ride)), .fails(NoRide("no driver"))]
    }
    .never("a ride for nothing") { if case .priced(_, .zero) = $0.order { true } else { false } }
  }

  // MARK: Timers

  private struct Row: Identifiable, Hashable, Sendable {
    let id: Int
    var timer = LonelyTimer.State(limit: 9)
  }

  private struct List: Hashable, Sendable {
    var rows: KeyedArray<Row> = KeyedArray(uniqueElements: (1...4).map { Row(id: $0) })
  }

  private enum ListAction: Sendable { case row(Int, LonelyTimer.Action) }

  /// Four timers in a list, each with an effect as long as its row exists; about ten moves a state.
  private static var timers: Explorer<List, ListAction> {
    Explorer(
      initialState: List(),
      reduce: { list, action in
        guard case .row(let id, let action) = action else { return }
        list.rows.mutate(id: id) { LonelyTimer.reduce(&$0.timer, action) }
      },
      connect: { store in
        store.connectEach(\.rows, action: ListAction.row) { _, row in
          LonelyTimer.connect(to: row.scope(\.timer), clock: ImmediateClock())
        }
      }
    )
    .userActions { list in list.rows.flatMap { [.row($0.id, .toggled), .row($0.id, .reset)] } }
    .outcomes(of: TickEffect<ImmediateClock>.Tick.self, sending: LonelyTimer.Action.self) { _ in
      [.sends(.ticked)]
    }
    .never("beyond the limit") { list in list.rows.contains { $0.timer.ticks > 9 } }
  }
}
