/// Which states were reached from which, to find those from which something cannot be reached. Pure.
struct ReachedEdges {
  private var edges: ContiguousArray<(from: Int32, to: Int32)> = []
  /// The states from which moves lead that were not made, or to states that were not kept.
  private var open: ContiguousArray<Int32> = []

  /// A move led from one state to another; from -1 at the beginning.
  mutating func add(from: Int, to: Int) {
    if from >= 0, from != to { edges.append((Int32(from), Int32(to))) }
  }

  /// Not all moves from the state are known.
  mutating func leadsBeyond(_ state: Int) { open.append(Int32(state)) }

  /// The first state from which no way leads to one that is a goal, nor to one of which not all moves are known.
  func firstStuck(of count: Int, isGoal: (Int) -> Bool) -> Int? {
    var reaches = ContiguousArray(repeating: false, count: count)
    var line: ContiguousArray<Int32> = []
    for state in open where !reaches[Int(state)] {
      reaches[Int(state)] = true
      line.append(state)
    }
    for state in 0..<count where !reaches[state] && isGoal(state) {
      reaches[state] = true
      line.append(Int32(state))
    }
    // The origins of the edges to each state, one after the other.
    var starts = ContiguousArray<Int32>(repeating: 0, count: count + 1)
    for edge in edges { starts[Int(edge.to) + 1] += 1 }
    for state in 0..<count { starts[state + 1] += starts[state] }
    var ends = starts
    var origins = ContiguousArray<Int32>(repeating: 0, count: edges.count)
    for edge in edges {
      origins[Int(ends[Int(edge.to)])] = edge.from
      ends[Int(edge.to)] += 1
    }
    while let state = line.popLast() {
      for index in Int(starts[Int(state)])..<Int(ends[Int(state)]) {
        let origin = Int(origins[index])
        if reaches[origin] { continue }
        reaches[origin] = true
        line.append(Int32(origin))
      }
    }
    return reaches.firstIndex(of: false)
  }
}
