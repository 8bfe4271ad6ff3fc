import RidesDomain

/// The passenger's account: signing in, signing out, moving house.
public enum Account {
  public struct State: Hashable, Sendable {
    /// Shared with other features.
    public var profile: Profile
    public var signIn: SignIn

    public init(profile: Profile = .guest, signIn: SignIn = .idle) {
      self.profile = profile
      self.signIn = signIn
    }
  }

  public enum SignIn: Hashable, Sendable {
    case idle
    case asking(name: String)
    case refused(UnknownPassenger)
  }

  public enum Action: Codable, Hashable, Sendable {
    case nameEntered(String)
    case profileArrived(Profile)
    case refused(UnknownPassenger)
    case movedHouse(to: Place)
    case signedOut
  }

  public static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .nameEntered(let name):
      state.signIn = .asking(name: name)
    case .profileArrived(let profile):
      state.profile = profile
      state.signIn = .idle
    case .refused(let failure):
      state.signIn = .refused(failure)
    case .movedHouse(let place):
      state.profile.home = place
    case .signedOut:
      state = State()
    }
  }
}
