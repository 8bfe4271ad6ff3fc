/// A move where it was made, or where it was left out.
struct MadeMove: Hashable {
  /// The number of the state.
  let state: Int
  /// The index of the move among all of the state.
  let index: Int
}

/// What the moves of one part have come to, wherever the part had the same value and its effects had decided the same.
/// Pure.
struct PartTable {
  struct Result {
    /// The number of the part after the move.
    let part: Int
    /// How many of the move's actions were reduced: the others came after a stop.
    let reduced: Int
    let move: MadeMove
  }

  private struct Record {
    /// The state in which its moves were first made.
    let state: Int
    /// The number of the list of the user's actions there.
    let list: Int
    var results: [Result?] = []
  }

  /// By the number of the part.
  private var records: [Record?] = []

  /// The moves of the part are going to be made for the first time.
  mutating func begin(_ number: Int, in state: Int, list: Int) {
    while records.count <= number { records.append(nil) }
    records[number] = Record(state: state, list: list)
  }

  /// Where the moves of the part were first made, and the list of the user's actions there.
  func first(_ number: Int) -> (state: Int, list: Int)? {
    number < records.count ? records[number].map { ($0.state, $0.list) } : nil
  }

  /// What a move has come to; `nil` if it was not made where the part was like this.
  func result(of move: PartMove, _ number: Int) -> Result? {
    guard let record = records[number], move.index < record.results.count else { return nil }
    return record.results[move.index]
  }

  mutating func add(_ result: Result, of move: PartMove, _ number: Int) {
    let missing = move.index + 1 - (records[number]?.results.count ?? 0)
    if missing > 0 { records[number]?.results += Array(repeating: nil, count: missing) }
    records[number]?.results[move.index] = result
  }
}
