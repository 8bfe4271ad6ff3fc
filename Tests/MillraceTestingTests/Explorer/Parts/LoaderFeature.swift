import Millrace
import MillraceTesting

/// Three loaders side by side, which know nothing of each other.
enum Loaders {
  struct Offline: Error {}

  struct Loader: Hashable, Sendable {
    var asked: Int?
    var shown = 0
    var isBroken = false
  }

  struct State: Hashable, Sendable {
    var left = Loader()
    var middle = Loader()
    var right = Loader()
    var clicks = 0
  }

  enum Step: Hashable, Sendable {
    case ask(Int)
    case arrived(Int)
    case failed
  }

  enum Action: Hashable, Sendable {
    case left(Step)
    case middle(Step)
    case right(Step)
    case swap
  }

  struct LoadEffect: EffectComponent {
    func requests(in loader: Loader) -> Set<Int> { loader.asked.map { [$0] } ?? [] }
    func run(_ number: Int, send: Send<Step>) async throws(Offline) {}
    func action(for failure: Offline, of number: Int) -> Step { .failed }
  }

  static func reduce(_ loader: inout Loader, _ step: Step) {
    switch step {
    case .ask(let number): loader.asked = number
    case .arrived(let number): loader = Loader(shown: number)
    case .failed: loader = Loader(shown: loader.shown, isBroken: true)
    }
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .left(let step): reduce(&state.left, step)
    case .middle(let step): reduce(&state.middle, step)
    case .right(let step): reduce(&state.right, step)
    case .swap: swap(&state.left, &state.right)
    }
  }

  static func connect(to store: Store<State, Action>) {
    store.connect(LoadEffect(), to: \.left, action: Action.left, named: "left")
    store.connect(LoadEffect(), to: \.middle, action: Action.middle, named: "middle")
    store.scope(\.right, action: Action.right).connect(LoadEffect(), named: "right")
  }

  /// Explores some of the loaders.
  static func explorer(
    _ sides: [@Sendable (Step) -> Action] = [Action.left, Action.right], asking questions: [Int] = [1, 2],
    reduce: @escaping Reducer<State, Action> = reduce,
    connect: @escaping @Sendable (Store<State, Action>) -> Void = connect
  ) -> Explorer<State, Action> {
    Explorer(initialState: State(), reduce: reduce, connect: connect)
      .userActions { _ in sides.flatMap { side in questions.map { side(.ask($0)) } } }
      .outcomes(of: Int.self, sending: Step.self) { number in [.answers(.arrived(number)), .fails(Offline())]
      }
  }
}

extension Explorer<Loaders.State, Loaders.Action> {
  /// Declares the loaders.
  var divided: Explorer {
    part(\.left) { if case .left = $0 { true } else { false } }
      .part(\.middle) { if case .middle = $0 { true } else { false } }
      .part(\.right) { if case .right = $0 { true } else { false } }
  }
}
