import RidesDomain

/// Follows one ride from the moment it is granted until its end.
///
/// Its state exists only as long as the ride: the feature's host keeps it as an optional.
public enum Tracking {
  public struct State: Hashable, Sendable, Identifiable {
    public let id: Int
    public let driver: String
    public let fare: Money
    public var minute = 0
    public var position: Position

    public init(id: Int, driver: String, fare: Money, position: Position) {
      self.id = id
      self.driver = driver
      self.fare = fare
      self.position = position
    }

    /// The outcome of the feature: how the ride ended; `nil` before its end.
    public var outcome: Outcome? {
      switch position {
      case .approaching, .underWay: nil
      case .arrived: .arrived(fare: fare)
      case .calledOff(let fee): .calledOff(fee: fee)
      }
    }
  }

  public enum Position: Codable, Hashable, Sendable {
    case approaching(minutesLeft: Int)
    case underWay(minutesLeft: Int)
    case arrived
    case calledOff(fee: Money)
  }

  public enum Outcome: Hashable, Sendable {
    case arrived(fare: Money)
    case calledOff(fee: Money)
  }

  public enum Action: Codable, Hashable, Sendable {
    case minutePassed(Position)
    case calledOff
  }

  public static func reduce(_ state: inout State, _ action: Action) {
    guard state.outcome == nil else { return }
    switch (action, state.position) {
    case (.minutePassed(let position), _):
      state.minute += 1
      state.position = position
    case (.calledOff, .underWay):
      state.position = .calledOff(fee: Money(cents: state.fare.cents / 2))
    case (.calledOff, _):
      state.position = .calledOff(fee: .zero)
    }
  }
}
