import Millrace
import Testing

@Suite struct ReducerExamples {
  enum Counter {
    struct State: Equatable, Sendable { var count = 0 }
    enum Action: Sendable { case incremented }

    static func reduce(_ state: inout State, _ action: Action) { state.count += 1 }
  }

  struct App: Equatable { var counter = Counter.State() }

  enum AppAction {
    case counter(Counter.Action)
    case reset
  }

  @Test("an app's reducer hands each action to its feature")
  func composed() {
    // Reducer
    func reduceApp(_ state: inout App, _ action: AppAction) {
      switch action {
      case .counter(let action): Counter.reduce(&state.counter, action)
      case .reset: state = App()
      }
    }
    var state = App()
    reduceApp(&state, .counter(.incremented))
    #expect(state.counter.count == 1)
    reduceApp(&state, .reset)
    #expect(state == App())
  }
}
