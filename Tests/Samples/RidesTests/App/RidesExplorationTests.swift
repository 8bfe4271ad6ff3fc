import Millrace
import MillraceExplorer
import MillraceTestStore
import MillraceTesting
import RandomSession
import RidesDomain
import TestSupport
import Testing

@testable import RidesBooking
@testable import RidesPayment
@testable import RidesProfile
@testable import RidesTracking
@testable import rides

/// Everything that may happen to a passenger up to the first ride that is paid.
@Suite("The app, explored")
struct RidesExplorationTests {
  private static let ada = Profile(name: "Ada", home: Place("old town"), credit: Money(cents: 4_00))

  private func explorer(
    _ reduce: @escaping Reducer<Rides, Rides.Action>,
    offering actions: @escaping @Sendable (Rides) -> [Rides.Action] = Self.userActions
  ) -> Explorer<Rides, Rides.Action> {
    Explorer(initialState: Rides(), reduce: reduce, connect: Self.connect)
      .userActions(actions)
      .outcomes(of: String.self, sending: Account.Action.self) { name in
        [.answers(.profileArrived(Self.ada)), .fails(UnknownPassenger(name: name))]
      }
      .outcomes(of: Route.self, sending: Booking.Action.self) { _ in
        [.answers(.priceArrived(Money(cents: 10_00))), .fails(NoRide("no road"))]
      }
      .outcomes(of: AskForRideEffect.Request.self, sending: Booking.Action.self) { asked in
        let ride = Booking.Ride(number: 1, driver: "Kofi", route: asked.route, fare: asked.fare)
        return [.answers(.granted(ride)), .fails(NoRide("no driver"))]
      }
      .outcomes(of: FollowEffect.Request.self, sending: Tracking.Action.self) { asked in
        [.answers(.minutePassed(asked.minute < 3 ? .underWay(minutesLeft: 3 - asked.minute) : .arrived))]
      }
      .outcomes(of: ChargeEffect.Charge.self, sending: Payment.Action.self) { charge in
        // The bank that has declined a charge twice does not do so again.
        [.answers(.charged(ride: 1))] + (charge.attempt < 3 ? [.fails(Declined("no"))] : [])
      }
      .never("an order beside a ride or a bill") { rides in
        rides.order != .none && (rides.ride != nil || rides.payment != .nothingDue)
      }
      .always("a price that is shown as on its way is on its way") { rides, running in
        guard case .pricing(let route) = rides.order else { return true }
        return running.contains(route)
      }
      .always("a charge that is shown as under way is under way") { rides, running in
        guard case .charging = rides.payment else { return true }
        return !running.requests(of: ChargeEffect.Charge.self).isEmpty
      }
      .never("more is paid by credit than there was") { $0.profile.credit < .zero }
      .alwaysReachable("a ride is ridden and paid") { !$0.paid.isEmpty }
      .printingTests(using: "testStore()")
  }

  @Sendable private static func connect(to store: Store<Rides, Rides.Action>) {
    Rides.connect(to: store, world: City(), clock: TestClock())
  }

  @Sendable private static func userActions(in rides: Rides) -> [Rides.Action] {
    if !rides.paid.isEmpty { return [] }
    return [
      .account(.nameEntered("ada")), .account(.signedOut), .booking(.destinationChosen(Place("zoo"))),
      .booking(.confirmed), .booking(.withdrawn), .tracking(.calledOff), .payment(.retried),
    ]
  }

  /// The actions that a screen would offer, with all that follows a ride.
  @Sendable private static func offeredActions(in rides: Rides) -> [Rides.Action] {
    if rides.ride != nil { return [.tracking(.calledOff)] }
    switch (rides.payment, rides.order) {
    case (.declined, _): return [.payment(.retried)]
    case (.nothingDue, .priced): return [.booking(.confirmed), .booking(.withdrawn)]
    case (.nothingDue, .none), (.nothingDue, .refused):
      return [.booking(.destinationChosen(Place("zoo"))), .account(.signedOut)]
    default: return [.account(.nameEntered("ada"))]
    }
  }

  /// The planted bug: that a charge was declined is forgotten.
  @Sendable private static func forgetfulReduce(_ rides: inout Rides, _ action: Rides.Action) {
    if case .payment(.declined) = action { return }
    Rides.reduce(&rides, action)
  }

  private func testStore(
    _ reduce: @escaping Reducer<Rides, Rides.Action> = Self.forgetfulReduce
  ) -> TestStore<Rides, Rides.Action> {
    TestStore(initialState: Rides(), reduce: reduce, connect: Self.connect)
  }

  @Test("whatever happens, what is shown as under way is under way, and a ride can be ridden and paid")
  func shipped() {
    let report = explorer(Rides.reduce).explore(states: 3_000)
    #expect(report.isClean && report.bounds.isEmpty, "\(report)")
    #expect(report.counts.states == 112)
  }

  @Test("a charge whose refusal is forgotten is found in seven moves")
  func forgottenRefusal() async throws {
    let found = try #require(explorer(Self.forgetfulReduce).explore(states: 3_000).counterexamples.first)
    let asked = #"Request(route: street to zoo, fare: 10.00, passenger: "guest")"#
    let ride = #"Ride(number: 1, driver: "Kofi", route: street to zoo, fare: 10.00)"#
    let bill = "Bill(ride: 1, total: 5.00, byCredit: 0.00)"
    #expect(
      PrintedStory(found.story).moves == [
        "the user sends .booking(.destinationChosen(zoo))",
        "PriceEffect street to zoo answers .priceArrived(10.00)",
        "the user sends .booking(.confirmed)",
        "AskForRideEffect \(asked) answers .granted(\(ride))",
        "FollowEffect Request(ride: 1, minute: 1) in 1 answers .minutePassed(.underWay(minutesLeft: 2))",
        "the user sends .tracking(.calledOff)",
        #"ChargeEffect Charge(bill: \#(bill), attempt: 1, passenger: "guest") fails with Declined(reason: "no")"#,
      ])
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
    await failsByExpectation { await printedTest { testStore() } }
    await printedTest { testStore(Rides.reduce) }
  }

  /// The test that the explorer prints.
  private func printedTest(_ testStore: () -> TestStore<Rides, Rides.Action>) async {
    let store = testStore()
    store.exhaustivity = .none
    store.send(.booking(.destinationChosen(Place(name: "zoo"))))
    // swift-format-ignore
    if store.inProgress().contains(Route(start: Place(name: "street"), destination: Place(name: "zoo"))) { store.answer(Route(start: Place(name: "street"), destination: Place(name: "zoo")), with: Booking.Action.priceArrived(Money(cents: 1000))) }
    store.send(.booking(.confirmed))
    // swift-format-ignore
    if store.inProgress().contains(AskForRideEffect.Request(route: Route(start: Place(name: "street"), destination: Place(name: "zoo")), fare: Money(cents: 1000), passenger: "guest")) { store.answer(AskForRideEffect.Request(route: Route(start: Place(name: "street"), destination: Place(name: "zoo")), fare: Money(cents: 1000), passenger: "guest"), with: Booking.Action.granted(Booking.Ride(number: 1, driver: "Kofi", route: Route(start: Place(name: "street"), destination: Place(name: "zoo")), fare: Money(cents: 1000)))) }
    // swift-format-ignore
    if store.inProgress(in: 1).contains(FollowEffect.Request(ride: 1, minute: 1)) { store.answer(FollowEffect.Request(ride: 1, minute: 1), in: 1, with: Tracking.Action.minutePassed(.underWay(minutesLeft: 2))) }
    store.send(.tracking(.calledOff))
    // swift-format-ignore
    if store.inProgress().contains(ChargeEffect.Charge(bill: Payment.Bill(ride: 1, total: Money(cents: 500), byCredit: Money(cents: 0)), attempt: 1, passenger: "guest")) { store.fail(ChargeEffect.Charge(bill: Payment.Bill(ride: 1, total: Money(cents: 500), byCredit: Money(cents: 0)), attempt: 1, passenger: "guest"), with: Declined(reason: "no")) }
    let holds: (Rides, RunningRequests) -> Bool = { rides, running in
      guard case .charging = rides.payment else { return true }
      return !running.requests(of: ChargeEffect.Charge.self).isEmpty
    }
    #expect(holds(store.state, store.inProgress()))
    await store.finish()
  }

  @Test("the recording of a long session by chance becomes the same test")
  func longSession() async throws {
    let shrunk = try await explorer(Self.forgetfulReduce, offering: Self.offeredActions).shrunkSession(
      seed: 12)
    let found = try #require(shrunk.counterexample)
    #expect(shrunk.recordedMoves == 400 && found.steps.count == 7, "\(shrunk)")
    #expect(try PrintedTest(found.test).isWritten(), "\(found.test)")
  }
}

// The memberwise initializers by which a printed test writes what has others.

extension Place { fileprivate init(name: String) { self.init(name) } }
extension Route {
  fileprivate init(start: Place, destination: Place) { self.init(from: start, to: destination) }
}
extension Declined { fileprivate init(reason: String) { self.init(reason) } }
extension Payment.Bill {
  fileprivate init(ride: Int, total: Money, byCredit: Money) {
    self.init(ride: ride, total: total)
    self.byCredit = byCredit
  }
}
