import Millrace
import Testing

@testable import MillraceTesting

/// Declared parts leave out moves and nothing else, on features drawn at random.
@Suite struct ExplorerPartModelTests {
  struct State: Hashable, Sendable {
    var machines = [0, 0, 0]
    var first: Int {
      get { machines[0] }
      set { machines[0] = newValue }
    }
    var second: Int {
      get { machines[1] }
      set { machines[1] = newValue }
    }
    var third: Int {
      get { machines[2] }
      set { machines[2] = newValue }
    }
    var total = 0
  }

  /// What happens to one machine, or to all.
  struct Event: Hashable, Sendable {
    var machine: Int?
    let number: Int
  }

  struct Down: Error {}

  /// Requests that share identities, so that one replaces another under way.
  struct MachineEffect: EffectComponent {
    let machine: Int
    let asked: [Set<Int>]
    let replacement: RequestReplacement
    func id(of request: Int) -> Int { request / 10 }
    func requests(in mode: Int) -> Set<Int> { asked[mode % 10] }
    func run(_ request: Int, send: Send<Event>) async throws(Down) {}
    func action(for failure: Down, of request: Int) -> Event { Event(machine: machine, number: request % 7) }
  }

  static let machines: [any WritableKeyPath<State, Int> & Sendable] = [\.first, \.second, \.third]

  /// A machine's mode with what does not matter: the tens are those of its last event.
  private static func modes(_ state: State) -> [Int] { state.machines.map { $0 % 10 } + [state.total] }

  private static func explorer(seed: UInt64) -> Explorer<State, Event> {
    var random = SeededRandom(seed: seed)
    func draw(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    let count = 2 + draw(2)
    let modes = 2 + draw(2)
    let next = (0..<3).map { _ in (0..<modes).map { _ in (0..<8).map { _ in draw(modes) } } }
    let asked = (0..<3).map { _ in
      (0..<modes).map { _ in Set((0..<4 - count).compactMap { draw(3) == 0 ? nil : $0 * 10 + draw(2) }) }
    }
    let replacements = (0..<3).map { _ in [RequestReplacement.restart, .ignore][draw(2)] }
    let hasShared = draw(3) == 0
    let answers = (0..<3).map { _ in draw(2) == 0 }
    let remembersEvents = draw(3) == 0
    var explorer = Explorer(
      initialState: State(), comparing: Self.modes,
      reduce: { (state: inout State, event: Event) in
        if let machine = event.machine {
          let mode = next[machine][state.machines[machine] % 10][event.number]
          state.machines[machine] = mode + (remembersEvents ? event.number * 10 : 0)
        } else {
          // Reads and changes everything.
          state.total = (state.total + state.first % 10) % 3
          state.machines.swapAt(0, event.number)
        }
      },
      connect: { store in
        for machine in 0..<count {
          store.connect(
            MachineEffect(machine: machine, asked: asked[machine], replacement: replacements[machine]),
            to: machines[machine], named: "machine \(machine)")
        }
      }
    )
    .userActions { _ in
      (0..<count).flatMap { machine in (0..<2).map { Event(machine: machine, number: $0) } }
        + (hasShared ? [Event(machine: nil, number: 1)] : [])
    }
    for machine in 0..<count {
      let answers = answers[machine]
      explorer = explorer.outcomes(of: Int.self, from: "machine \(machine)") { request in
        let first = Event(machine: machine, number: request % 6)
        if answers { return [.answers(first), .fails(Down())] }
        // What comes of the second depends on whether the first stops the run.
        return [.answers(first, Event(machine: machine, number: 6)), .sends(first)]
      }
    }
    return seed.isMultiple(of: 5) ? explorer.crashes() : explorer
  }

  private static func declaring(_ explorer: Explorer<State, Event>) -> Explorer<State, Event> {
    (0..<3).reduce(explorer) { explorer, machine in
      explorer.part(machines[machine]) { $0.machine == machine }
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func everyStateIsReachedByAsFewMoves(seed: UInt64) {
    let plain = Self.explorer(seed: seed)
    let divided = Self.declaring(plain)
    let depths = Depths(of: plain, by: Self.modes)
    #expect(Depths(of: divided, by: Self.modes).difference(from: depths) == [])
    let (found, expected) = (divided.explore(), plain.explore())
    #expect(found.isClean && found.undivided.isEmpty, "\(found)")
    #expect(found.counts.moves + found.counts.skipped == expected.counts.moves)
    #expect(found.counts.skipped > 0)
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func whatIsStuckIsFoundByAsFewMoves(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let goal = (0..<2).map { _ in Int(random.next() % 2) }
    let plain = Self.explorer(seed: seed)
      .eventually("the goal") { state, running in
        state.first % 10 == goal[0] && state.second % 10 == goal[1] && running.count < 2
      }
    for depth in [3, .max] {
      let (found, expected) = (Self.declaring(plain).explore(depth: depth), plain.explore(depth: depth))
      #expect(found.problems.isEmpty)
      #expect(found.counterexamples.map(\.steps.count) == expected.counterexamples.map(\.steps.count))
    }
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func aMoveThatReachesBeyondItsPartIsFound(seed: UInt64) {
    let plain = Self.explorer(seed: seed)
    var random = SeededRandom(seed: seed)
    let (machine, number) = (Int(random.next() % 2), Int(random.next() % 2))
    let reads = seed.isMultiple(of: 2)
    let reduce = plain.reduce
    let wrong = Explorer(
      initialState: plain.initialState, comparing: Self.modes,
      reduce: { (state: inout State, event: Event) in
        let other = state.machines[1 - machine]
        reduce(&state, event)
        guard event == Event(machine: machine, number: number) else { return }
        if reads { state.machines[machine] = other % 2 } else { state.total = 1 }
      },
      connect: plain.connect)
    var explorer = wrong
    (explorer.actions, explorer.outcomes) = (plain.actions, plain.outcomes)
    let (found, expected) = (Self.declaring(explorer).explore(), explorer.explore())
    #expect(found.counts.states == expected.counts.states)
    #expect(found.counts.moves + found.counts.skipped == expected.counts.moves)
    if found.problems.isEmpty {
      // What is read is the same wherever it is read.
      #expect(reads)
      let depths = Depths(of: explorer, by: Self.modes)
      #expect(Depths(of: Self.declaring(explorer), by: Self.modes).difference(from: depths) == [])
    } else {
      #expect(found.problems.count == 1 && found.counts.skipped == 0)
    }
  }
}
