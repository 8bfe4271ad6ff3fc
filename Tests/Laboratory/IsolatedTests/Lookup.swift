import Foundation
import Millrace

/// A feature in a module whose default isolation is the main actor.
nonisolated enum Lookup {
  struct State: Hashable, Sendable {
    var query: String?
    var answers: [String] = []
  }

  enum Action: Equatable, Sendable {
    case asked(String)
    case answered(String)
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .asked(let query): state.query = query
    case .answered(let answer):
      state.query = nil
      state.answers.append(answer)
    }
  }

  struct Answering: EffectComponent {
    let answer: @Sendable (String) async -> String

    func requests(in state: State) -> Set<String> { state.query.map { [$0] } ?? [] }
    func run(_ query: String, send: Send<Action>) async { await send(.answered(answer(query))) }
  }
}

/// A view; its isolation is the module's.
final class Screen: ViewComponent {
  var props = 0 { didSet { shown.append(props) } }
  private(set) var shown: [Int] = []
}

/// A component. The protocol is `Sendable`, so its isolation has to be written here, too.
@MainActor final class Meter: Component {
  private(set) var updates: [Int] = []
  func update(_ props: Int) async {
    MainActor.assertIsolated()
    updates.append(props)
  }
}
