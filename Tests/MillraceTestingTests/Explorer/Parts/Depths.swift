@testable import MillraceTesting

/// By how many moves each state is reached, with what runs in it.
struct Depths<Key: Hashable> {
  private struct Place: Hashable {
    let state: Key
    let running: [AnyHashable: Int]
  }

  /// Of each place, those of the states that differ by what has finished or how far it is.
  private var depths: [Place: [Int]] = [:]

  /// - Parameter key: what tells states apart.
  init<State, Action>(of explorer: Explorer<State, Action>, by key: (State) -> Key) {
    let exploration = Exploration(explorer)
    var search = BreadthFirst(exploration, depth: .max, states: .max)
    search.explore()
    for number in 0..<search.stateCount {
      let running = exploration.configurations.all[Int(search.configurations[number])].running.all
      let counts = Dictionary(running.map { (AnyHashable($0), 1) }, uniquingKeysWith: +)
      let place = Place(state: key(search.states[number]), running: counts)
      depths[place, default: []].append(search.path(to: number).count)
    }
    for place in depths.keys { depths[place]?.sort() }
  }

  init<Action>(of explorer: Explorer<Key, Action>) { self.init(of: explorer) { $0 } }

  /// The first few states that are reached otherwise.
  func difference(from other: Depths) -> [String] {
    let places = Set(depths.keys).union(other.depths.keys).filter { depths[$0] != other.depths[$0] }
    return places.prefix(3).map { "\($0): \(depths[$0] ?? []) in place of \(other.depths[$0] ?? [])" }
  }
}
