/// Everything that can be reached from a configuration by single moves, breadth first.
struct Reachability<Configuration: Hashable> {
  struct Move {
    let name: String
    let configuration: Configuration
  }

  private(set) var configurations: [Configuration]
  /// By which move, from which configuration, each was first reached.
  private var origins: [(from: Int, name: String)] = [(0, "")]
  private var predecessors: [[Int32]] = [[]]
  /// Configurations in which nobody can move.
  private(set) var ends: [Int] = []

  init(from start: Configuration, _ moves: (Configuration) -> [Move]) {
    configurations = [start]
    var numbers = [start: 0]
    var next = 0
    while next < configurations.count {
      let moves = moves(configurations[next])
      if moves.isEmpty { ends.append(next) }
      for move in moves {
        if let number = numbers[move.configuration] {
          predecessors[number].append(Int32(next))
        } else {
          numbers[move.configuration] = configurations.count
          configurations.append(move.configuration)
          origins.append((next, move.name))
          predecessors.append([Int32(next)])
        }
      }
      next += 1
    }
  }

  /// Configurations from which none that satisfies `condition` can be reached any more.
  func lost(to condition: (Configuration) -> Bool) -> [Int] {
    var reaches = configurations.map(condition)
    var next = reaches.indices.filter { reaches[$0] }
    while let number = next.popLast() {
      for predecessor in predecessors[number].map(Int.init) where !reaches[predecessor] {
        reaches[predecessor] = true
        next.append(predecessor)
      }
    }
    return reaches.indices.filter { !reaches[$0] }
  }

  func first(where condition: (Configuration) -> Bool) -> Int? { configurations.firstIndex(where: condition) }

  /// The shortest sequence of moves to a configuration.
  func story(to number: Int) -> String {
    var names: [String] = []
    var number = number
    while number != 0 {
      names.append(origins[number].name)
      number = origins[number].from
    }
    return names.reversed().joined(separator: "\n")
  }
}
