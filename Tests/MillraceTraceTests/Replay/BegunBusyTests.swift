import Millrace
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceTrace

@Suite("A recording that begins while bodies run", .timeLimit(.minutes(10))) struct BegunBusyTests {
  struct State: Codable, Hashable, Sendable {
    var wanted: Set<Int> = []
    var pokes = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case wanted(Set<Int>)
    case poked
  }

  @Sendable static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .wanted(let numbers): state.wanted = numbers
    case .poked: state.pokes += 1
    }
  }

  /// A body does not notice that it was stopped.
  struct LookEffect: EffectComponent {
    let gate: Gate
    /// How many identities there are.
    let modulus: Int
    let replacement: RequestReplacement

    func id(of number: Int) -> Int { number % modulus }
    func requests(in wanted: Set<Int>) -> Set<Int> { wanted }

    func run(_ number: Int, send: Send<Action>) async {
      await gate.waitIgnoringCancellation()
      await send(.poked)
    }

    func run(_ numbers: RequestUpdates<Int>, send: Send<Action>) async {
      for await number in numbers {
        await gate.waitIgnoringCancellation()
        await send(.poked)
        if number == 3 { break }
      }
    }
  }

  enum Step: Equatable {
    case want(Set<Int>)
    /// The body that waits longest goes on.
    case pass
    case poke
    case record
  }

  /// - Returns: the verdict on what was recorded from `.record` on.
  private func verdict(
    of steps: [Step], modulus: Int, _ replacement: RequestReplacement, memory: Int = 4 << 20
  ) async throws -> ReplayVerdict {
    let (gate, bytes) = (Gate(), TraceMemory())
    let effect = LookEffect(gate: gate, modulus: modulus, replacement: replacement)
    let connect: @Sendable (Store<State, Action>) -> Void = { $0.connect(effect, to: \.wanted) }
    let store = Store(initialState: State(), reduce: Self.reduce)
    connect(store)
    var recording: TraceRecording?
    for step in steps {
      switch step {
      case .want(let numbers): store.dispatchAndWait(.wanted(numbers))
      case .pass: gate.pass()
      case .poke: store.dispatchAndWait(.poked)
      case .record: recording = try store.record(to: .memory(bytes), memory: memory)
      }
    }
    gate.open()
    // A handed-over run goes on until it is stopped.
    store.dispatchAndWait(.wanted([]))
    await store.settled()
    try await recording?.finish()
    return try Replay(of: bytes, reduce: Self.reduce, connect: connect).verdict()
  }

  @Test(
    "behind a stopped body, requests come and go as they are replayed",
    arguments: [
      [.want([1]), .want([]), .want([1]), .record, .want([])],
      [.want([1]), .want([]), .record, .want([1]), .want([])],
      [.want([1]), .want([]), .record, .want([1]), .pass, .poke],
      [.want([1]), .want([2]), .record, .want([3]), .pass, .poke, .want([2])],
      [.want([1]), .want([]), .record, .want([2]), .want([3]), .pass, .poke],
      [.want([1]), .want([]), .want([2]), .want([3]), .record, .poke, .pass, .poke, .want([3, 4])],
    ] as [[Step]], [RequestReplacement.restart, .handOver, .ignore])
  func stopped(steps: [Step], replacement: RequestReplacement) async throws {
    for modulus in [1, 2, 10] {
      let verdict = try await verdict(of: steps, modulus: modulus, replacement)
      #expect(verdict.isSame, "\(verdict)")
    }
  }

  @Test("whenever it begins, and wherever it has gaps, its replay is the same", arguments: 1...12)
  func anywhere(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    for _ in 1...12 {
      let modulus = Int.random(in: 1...4, using: &random)
      var steps: [Step] = (0..<Int.random(in: 4..<24, using: &random)).map { _ in
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .poke
        case 1, 2: .pass
        // No two of one identity: it is not promised which of them is served.
        default:
          .want(
            Set(
              Dictionary(grouping: [1, 2, 3, 4].shuffled(using: &random).prefix(2)) { $0 % modulus }.values
                .map { $0[0] }))
        }
      }
      if Bool.random(using: &random) { steps += Array(repeating: .poke, count: 40) }
      steps.insert(.record, at: Int.random(in: 0..<steps.count, using: &random))
      let replacement = [RequestReplacement.restart, .handOver, .ignore].randomElement(using: &random)
      let memory = Bool.random(using: &random) ? 4 << 20 : 3_000
      let verdict = try await verdict(of: steps, modulus: modulus, replacement ?? .restart, memory: memory)
      #expect(verdict.isSame, "\(verdict), \(steps), \(modulus), \(replacement ?? .restart), \(memory)")
    }
  }
}
