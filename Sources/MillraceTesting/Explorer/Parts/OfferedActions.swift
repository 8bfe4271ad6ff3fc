import Millrace

/// The user's actions in the state that is explored, by part.
struct OfferedActions<Action: Sendable> {
  private let division: Division<Action>
  private let areEqual: @Sendable (Action, Action) -> Bool
  private var last: [Action] = []
  /// The part of each of them, if it belongs to one.
  private(set) var parts: [Int?] = []
  /// The actions of each part.
  private var ofParts: [[Action]]
  /// The numbers of these lists, as far as they have one.
  private var numbers: [Int?]
  /// The lists that have numbers.
  private var lists: [[Action]] = []

  init(_ division: Division<Action>, areEqual: @escaping @Sendable (Action, Action) -> Bool) {
    self.division = division
    self.areEqual = areEqual
    ofParts = Array(repeating: [], count: division.count)
    numbers = Array(repeating: nil, count: division.count)
  }

  /// The user may send these actions. Mostly they are those of the state before.
  mutating func offer(_ actions: [Action]) {
    if areEqual(actions, last) { return }
    last = actions
    parts = actions.map(division.part)
    for part in 0..<division.count {
      ofParts[part] = actions.indices.filter { parts[$0] == part }.map { actions[$0] }
      numbers[part] = nil
    }
  }

  /// The number of the list of a part's actions.
  mutating func number(of part: Int) -> Int {
    if let number = numbers[part] { return number }
    lists.append(ofParts[part])
    numbers[part] = lists.count - 1
    return lists.count - 1
  }

  /// Whether a part's actions are those of a list.
  mutating func areOffered(_ list: Int, of part: Int) -> Bool {
    if numbers[part] == list { return true }
    guard areEqual(ofParts[part], lists[list]) else { return false }
    numbers[part] = list
    return true
  }

  private func areEqual(_ left: [Action], _ right: [Action]) -> Bool {
    left.count == right.count && left.indices.allSatisfy { areEqual(left[$0], right[$0]) }
  }
}
