import MillraceCollections

/// The program's state as lines of text.
enum Drawing {
  static let legend = "[ asked, = running, ] answered, x stopped, [2] the step in view"
  /// The largest number of steps drawn.
  private static let columns = 20

  static func lines(of program: TimeTravel) -> [String] {
    let list = program.list
    var lines = ["list: \(items(of: list.state))"]
    if let search = list.state.search { lines.append("search \"\(search.query)\": \(found(by: search))") }
    lines += lanes(of: program)
    lines.append(status(of: list))
    if let message = program.message { lines.append(message) }
    return lines
  }

  private static func items(of list: ShoppingList) -> String {
    list.items.isEmpty ? "empty" : list.items.map { "\($0.id) \($0.price)" }.joined(separator: ", ")
  }

  private static func found(by search: ShoppingList.Search) -> String {
    guard let found = search.found else { return "…" }
    return found.isEmpty ? "nothing" : found.joined(separator: ", ")
  }

  /// The line of steps, and below it a line for each question.
  static func lanes(of program: TimeTravel) -> [String] {
    let list = program.list
    let numbers = [list.startNumber] + list.steps.map(\.number)
    let shown = columns(of: numbers, inView: numbers.firstIndex(of: list.number) ?? 0)
    let width = "\(numbers[shown.upperBound - 1])".count + 2
    let lanes = Lane.lanes(of: list, stops: program.stops)
      .filter { $0.cells[shown].contains { $0.event != .idle } }
    let label = lanes.reduce(5) { max($0, $1.question.description.count) } + 1
    let steps = numbers[shown].map { $0 == list.number ? "[\($0)]" : " \($0)" }
    let rows =
      [("steps", steps.map { pad($0, to: width) }.joined())]
      + lanes.map { lane in
        // A run that was stopped at the newest step begins again after the return.
        let isAskedAgain =
          list.isLive && shown.contains(lane.cells.count - 1) && lane.cells.last?.isStopped == true
        let cells = lane.cells[shown].map { $0.text(width: width) }.joined()
        return (lane.question.description, cells + (isAskedAgain ? "[" : ""))
      }
    return rows.map { trimmed(pad($0, to: label) + $1) }
  }

  /// The newest steps, or those around the one in view.
  private static func columns(of numbers: [Int], inView place: Int) -> Range<Int> {
    let first = max(0, min(numbers.count - columns, place - columns / 2))
    return first..<min(numbers.count, first + columns)
  }

  private static func status(of list: Timeline<ShoppingList, ShoppingList.Action>) -> String {
    if let live = list.live {
      let branches = list.branches.isEmpty ? "" : ", branches kept: \(list.branches.count)"
      return "live: \(live.questions.isEmpty ? "nothing runs" : "\(live.questions.count) running")\(branches)"
    }
    let held = list.held.count == 1 ? "1 action" : "\(list.held.count) actions"
    return "looking back: nothing runs, \(held) held"
  }

  private static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func trimmed(_ text: String) -> String {
    var text = text
    while text.last == " " { text.removeLast() }
    return text
  }
}

extension Drawing {
  /// The lines about an action and the state after it.
  static func lines(of program: TimeTravel, after action: TimeTravel.Action) -> [String] {
    let head: String? =
      switch action {
      case .typed(let line): "> \(line)"
      case .inputEnded: "> the input has ended"
      case .list(.change(let change)): "* \(change)"
      case .list: nil
      }
    return ["", head].compactMap { $0 } + lines(of: program)
  }
}
