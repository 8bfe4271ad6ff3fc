/// 12,000 counters as stored properties, in 400 groups of 30.
struct Grid: Equatable, Sendable {
  typealias Group = Three<Ten<Int>>
  typealias Cells = Ten<Ten<Four<Group>>>

  var cells = Cells(
    repeating: Ten(repeating: Four(repeating: Group(repeating: Ten(repeating: 0)))))

  enum Action: Sendable { case increment(Int) }

  /// Changes one counter in place. The counters are adjacent in memory and found by index, so the reducer costs next to
  /// nothing.
  static func reduce(_ state: inout Grid, _ action: Action) {
    switch action {
    case .increment(let index):
      withUnsafeMutableBytes(of: &state.cells) { $0.assumingMemoryBound(to: Int.self)[index] += 1 }
    }
  }

  static let groupSize = 30
  static let groups: [Path<Grid, Group>] = joined(
    joined(joined([Path(\Grid.cells)], Cells.paths), Ten<Four<Group>>.paths), Four<Group>.paths)
  static let cellsOfGroup: [Path<Group, Int>] = joined(Group.paths, Ten<Int>.paths)
  /// The key path of every counter, by its index.
  static let counters: [Path<Grid, Int>] = joined(groups, cellsOfGroup)
}
