import MillraceCollections

/// One question's progress over the steps of a timeline.
struct Lane: Equatable, Sendable {
  /// One step of a lane.
  struct Cell: Equatable, Sendable {
    enum Event: Equatable, Sendable {
      case idle, asked, runs, answered, withdrawn
    }

    let event: Event
    /// Whether the question was asked before the step, stopped there, and asked again.
    var isAskedAgain = false
    /// Whether its run was stopped after the step, since the timeline looked back.
    var isStopped = false

    var runsBefore: Bool { event == .runs || event == .answered || event == .withdrawn }
    var runsAfter: Bool { event == .asked || event == .runs }
  }

  let question: Question
  /// A cell for the start and one for each step.
  var cells: [Cell]

  /// The lanes of all questions of any step, in the order in which they were first asked.
  ///
  /// - Parameter stops: the numbers of the steps after which runs were stopped.
  /// - Complexity: O(steps × questions).
  static func lanes(of list: Timeline<ShoppingList, ShoppingList.Action>, stops: Set<Int>) -> [Lane] {
    let numbers = [list.startNumber] + list.steps.map(\.number)
    let asked = ([list.start] + list.steps.map(\.state)).map(\.questions)
    let answered = [nil] + list.steps.map(\.action.answered)
    var order: [Question] = []
    var seen: Set<Question> = []
    for question in asked.joined() where seen.insert(question).inserted { order.append(question) }
    return order.map { question in
      let isAsked = asked.map { $0.contains(question) }
      let cells = numbers.indices.map { place in
        let before = place > 0 && isAsked[place - 1]
        return Cell(
          event: event(before, isAsked[place], isAnswered: answered[place] == question),
          isAskedAgain: before && stops.contains(numbers[place - 1]),
          isStopped: isAsked[place] && stops.contains(numbers[place]))
      }
      return Lane(question: question, cells: cells)
    }
  }

  private static func event(_ before: Bool, _ after: Bool, isAnswered: Bool) -> Cell.Event {
    switch (before, after) {
    case (false, false): .idle
    case (false, true): .asked
    case (true, true): .runs
    case (true, false): isAnswered ? .answered : .withdrawn
    }
  }
}

extension Lane.Cell {
  /// The cell in a column: `[` asked, `=` running, `]` answered, `x` stopped.
  func text(width: Int) -> String {
    let before = isAskedAgain ? "[" : runsBefore ? "=" : " "
    let at =
      switch event {
      case .idle: "."
      case .asked: "["
      case .runs: "="
      case .answered: "]"
      case .withdrawn: "x"
      }
    let after = String(repeating: runsAfter ? "=" : " ", count: width - 3)
    return before + at + after + (isStopped ? "x" : runsAfter ? "=" : " ")
  }
}
