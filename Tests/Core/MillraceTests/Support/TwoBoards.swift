import Millrace

/// A state with two boards, each with its actions.
struct TwoBoards: Equatable, Sendable {
  var left = Board()
  var right = Board()

  enum Action: Hashable, Sendable {
    case left(Board.Action)
    case right(Board.Action)
  }

  static func reduce(_ boards: inout TwoBoards, _ action: Action) {
    switch action {
    case .left(let action): Board.reduce(&boards.left, action)
    case .right(let action): Board.reduce(&boards.right, action)
    }
  }
}

extension Store where State == TwoBoards, Action == TwoBoards.Action {
  convenience init(on queue: Queue) {
    self.init(initialState: TwoBoards(), on: queue.queue, reduce: TwoBoards.reduce)
  }
}

typealias TwoBoardStore = Store<TwoBoards, TwoBoards.Action>
