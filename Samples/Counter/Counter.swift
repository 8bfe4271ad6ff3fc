import Millrace

/// A counter that looks up a fact about its number.
nonisolated enum Counter {
  struct State: Equatable, Sendable {
    var count = 0
    var fact: String?
  }

  enum Action: Equatable, Sendable {
    case incremented
    case factArrived(String)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .incremented: state = State(count: state.count + 1)
    case .factArrived(let fact): state.fact = fact
    }
  }

  struct FactLookup: EffectComponent {
    let fact: @Sendable (Int) async -> String

    func requests(in state: State) -> Set<Int> { state.fact == nil ? [state.count] : [] }

    func run(_ number: Int, send: Send<Action>) async {
      await send(.factArrived(fact(number)))
    }
  }
}

extension Counter {
  /// Connects the feature's effects to a store that holds its state.
  static func connect(
    to store: Store<State, Action>, fact: @escaping @Sendable (Int) async -> String
  ) {
    store.connect(FactLookup(fact: fact))
  }
}

// A recording of the actions can be reduced again, and shrunk to a test.
extension Counter.Action: Codable {}
