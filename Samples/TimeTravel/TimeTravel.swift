import Millrace
import MillraceSystem

/// The whole program's state: a shopping list with its past, and what was typed.
struct TimeTravel: Equatable, Sendable {
  /// Whether lines are read.
  enum Input: Equatable, Sendable {
    case open
    /// There is no further line. The program ends once nothing runs.
    case ended
    case quit
  }

  var list = Timeline<ShoppingList, ShoppingList.Action>(ShoppingList(), limit: 200)
  /// The numbers of the steps after which runs were stopped by looking back or branching.
  var stops: Set<Int> = []
  /// The answer to the last line, if that changed nothing.
  var message: String?
  var input = Input.open

  enum Action: Codable, Equatable, Sendable {
    case typed(String)
    case inputEnded
    case list(TimelineAction<ShoppingList.Action>)

    static func change(_ action: ShoppingList.Action) -> Action { .list(.change(action)) }

    init(_ event: LineReaderEvent) {
      switch event {
      case .line(let line): self = .typed(line.text)
      case .ended, .failed: self = .inputEnded
      }
    }
  }

  private static let reduceList = timeline(ShoppingList.reduce)

  @Sendable static func reduce(_ program: inout TimeTravel, _ action: Action) {
    program.message = nil
    switch action {
    case .typed(let line):
      switch Command(line) {
      case .list(let action): program.reduceList(action)
      case .help: program.message = Command.usage
      case .quit: program.input = .quit
      case .unknown(let line): program.message = "no command: \(line)"
      }
    case .inputEnded: if program.input == .open { program.input = .ended }
    case .list(let action): program.reduceList(action)
    }
  }

  private mutating func reduceList(_ action: TimelineAction<ShoppingList.Action>) {
    let before = list
    Self.reduceList(&list, action)
    if before.isLive, !list.isLive { stops.insert(list.lastNumber) }
    if case .branch = action, !before.isLive { stops.insert(before.number) }
    if stops.count > list.limit { stops.formIntersection([list.startNumber] + list.steps.map(\.number)) }
  }

  /// Whether the next line is read.
  var isReading: Bool { input == .open }

  /// Whether the program ends.
  var isOver: Bool {
    switch input {
    case .open: false
    case .ended: list.live?.questions.isEmpty ?? true
    case .quit: true
    }
  }

  /// Connects the effects of the list where its newest state is in view. While the timeline looks back there is no such
  /// place, so their runs are stopped. On return the newest state asks its questions again.
  static func connect(to store: Store<TimeTravel, Action>, shop: Shop) {
    store.connectIfPresent(\.list.live, action: Action.change) { list in
      ShoppingList.connect(to: list, shop: shop)
    }
  }
}

extension Timeline {
  /// The number of the newest step.
  var lastNumber: Int { steps.last?.number ?? startNumber }
}
