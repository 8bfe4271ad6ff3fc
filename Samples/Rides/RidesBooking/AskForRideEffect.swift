import Millrace
import RidesDomain

/// Asks for a ride once the price was agreed to.
public struct AskForRideEffect: EffectComponent {
  private let service: any RideService

  public init(service: any RideService) { self.service = service }

  public struct Request: Hashable, Sendable {
    public let route: Route
    public let fare: Money
    public let passenger: String
  }

  public func requests(in state: Booking.State) -> Set<Request> {
    guard case .asking(let route, let fare) = state.order else { return [] }
    return [Request(route: route, fare: fare, passenger: state.profile.name)]
  }

  public func run(_ request: Request, send: Send<Booking.Action>) async throws(NoRide) {
    let ride = try await service.ride(along: request.route, for: request.passenger, fare: request.fare)
    await send(.granted(ride))
  }

  public func action(for failure: NoRide, of request: Request) -> Booking.Action { .refused(failure) }
}

extension Booking {
  /// Connects the feature to a store of its state, wherever that is kept.
  public static func connect(to store: Store<State, Action>, service: any RideService) {
    store.connect(PriceEffect(service: service), to: \.order)
    store.connect(AskForRideEffect(service: service))
  }
}
