import Millrace
import RidesDomain

/// Asks for the price of the chosen route.
public struct PriceEffect: EffectComponent {
  private let service: any RideService

  public init(service: any RideService) { self.service = service }

  public func requests(in order: Booking.Order) -> Set<Route> {
    if case .pricing(let route) = order { [route] } else { [] }
  }

  public func run(_ route: Route, send: Send<Booking.Action>) async throws(NoRide) {
    await send(.priceArrived(try await service.price(of: route)))
  }

  public func action(for failure: NoRide, of route: Route) -> Booking.Action { .refused(failure) }
}
