import Millrace

/// Asks once a minute where the vehicle is.
///
/// The minute is part of the request. So the next minute is another request, nothing is polled twice, and nothing is
/// counted outside of the state.
public struct FollowEffect: EffectComponent {
  private let feed: any VehicleFeed
  private let clock: any Clock<Duration>

  public init(feed: any VehicleFeed, clock: any Clock<Duration>) {
    self.feed = feed
    self.clock = clock
  }

  public struct Request: Hashable, Sendable {
    let ride: Int
    let minute: Int
  }

  public func requests(in state: Tracking.State) -> Set<Request> {
    state.outcome == nil ? [Request(ride: state.id, minute: state.minute + 1)] : []
  }

  public func run(_ request: Request, send: Send<Tracking.Action>) async {
    guard (try? await clock.sleep(for: .seconds(60))) != nil else { return }  // the ride is over
    await send(.minutePassed(await feed.position(ofRide: request.ride, minute: request.minute)))
  }
}

extension Tracking {
  /// Connects the feature to a store of its state, wherever that is kept.
  ///
  /// Connected as long-running, so that `settled()` does not wait for the next minute.
  public static func connect(
    to store: Store<State, Action>, feed: any VehicleFeed, clock: any Clock<Duration>
  ) {
    store.connect(FollowEffect(feed: feed, clock: clock), longRunning: true)
  }
}
