import Millrace

/// Looks up the name that was entered.
public struct SignInEffect: EffectComponent {
  private let directory: any ProfileDirectory

  public init(directory: any ProfileDirectory) { self.directory = directory }

  public func requests(in state: Account.SignIn) -> Set<String> {
    if case .asking(let name) = state { [name] } else { [] }
  }

  public func run(_ name: String, send: Send<Account.Action>) async throws(UnknownPassenger) {
    await send(.profileArrived(try await directory.profile(named: name)))
  }

  public func action(for failure: UnknownPassenger, of name: String) -> Account.Action { .refused(failure) }
}

extension Account {
  /// Connects the feature to a store of its state, wherever that is kept.
  public static func connect(to store: Store<State, Action>, directory: any ProfileDirectory) {
    store.connect(SignInEffect(directory: directory), to: \.signIn)
  }
}
