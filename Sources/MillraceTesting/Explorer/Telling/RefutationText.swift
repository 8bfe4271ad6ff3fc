import Millrace

/// A declared part that is not what the test says, in words, with the stories that show it.
struct RefutationText<State: Sendable, Action: Sendable> {
  private let exploration: Exploration<State, Action>
  private let refutation: Refutation
  /// By which moves a state was first reached.
  private let path: (Int) -> [Int]

  init(_ exploration: Exploration<State, Action>, _ refutation: Refutation, _ path: @escaping (Int) -> [Int])
  {
    self.exploration = exploration
    self.refutation = refutation
    self.path = path
  }

  var text: String {
    let lines = ["\(name) is no part of its own: \(reason)", ""] + stories
    return (lines + ["", "So no moves were left out."]).joined(separator: "\n")
  }

  private var name: String { exploration.explorer.parts[refutation.part].name }

  private var reason: String {
    switch refutation.kind {
    case .changesMore: "the last of these moves changes the rest of the state, too."
    case .readsMore: "the same move does one thing here, and another elsewhere, where the part was equal."
    case .offersOthers: "the user may send some actions here, and others elsewhere, where the part is equal."
    }
  }

  private var stories: [String] {
    switch refutation.kind {
    case .changesMore: story(to: refutation.state, refutation.move)
    case .readsMore(let elsewhere):
      ["Here:", ""] + story(to: refutation.state, refutation.move)
        + ["", "Elsewhere:", ""] + story(to: elsewhere.state, elsewhere.index)
    case .offersOthers(let elsewhere):
      ["Here:", ""] + story(to: refutation.state, nil) + offered(in: refutation.state)
        + ["", "Elsewhere:", ""] + story(to: elsewhere, nil) + offered(in: elsewhere)
    }
  }

  private func story(to state: Int, _ move: Int?) -> [String] {
    let (steps, places) = exploration.way(by: path(state) + (move.map { [$0] } ?? []))
    return StoryText(steps, places.map(\.state), places.map(\.configuration.running)).lines
  }

  private func offered(in state: Int) -> [String] {
    guard let place = exploration.way(by: path(state)).places.last else { return [] }
    let actions = exploration.moves(from: place).actions
      .filter { exploration.division?.part(of: $0) == refutation.part }
    let list = actions.isEmpty ? "nothing" : actions.map { Spelling.text(of: $0) }.joined(separator: ", ")
    return ["  the user may send: \(list)"]
  }
}
