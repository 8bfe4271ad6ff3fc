import Millrace
import MillraceTesting
import MillraceTrace
import TestSupport
import Testing

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
    /// A number that it does not ask for.
    var blind: Int?

    func id(of number: Int) -> Int { number % modulus }
    func requests(in wanted: Set<Int>) -> Set<Int> { wanted.filter { $0 != blind } }

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
    /// A body waits.
    case began
    /// All bodies that went on have returned.
    case settle
  }

  /// - Returns: the verdict on what was recorded from `.record` on, with the effect as it was or one that is blind.
  private func verdict(
    of steps: [Step], modulus: Int, _ replacement: RequestReplacement, memory: Int = 4 << 20,
    blind: Int? = nil
  ) async throws -> ReplayVerdict {
    let (gate, bytes) = (Gate(), TraceMemory())
    var effect = LookEffect(gate: gate, modulus: modulus, replacement: replacement)
    let store = Store(initialState: State(), reduce: Self.reduce)
    store.connect(effect, to: \.wanted, named: "look")
    var recording: TraceRecording?
    for step in steps {
      switch step {
      case .want(let numbers): store.dispatchAndWait(.wanted(numbers))
      case .pass: gate.pass()
      case .poke: store.dispatchAndWait(.poked)
      case .record:
        recording = try store.record(to: .memory(bytes), memory: memory)
        try await recording?.flush()  // it has begun
      case .began: try await gate.waiters(atLeast: 1)
      case .settle: await store.settled()
      }
    }
    gate.open()
    // A handed-over run goes on until it is stopped.
    store.dispatchAndWait(.wanted([]))
    await store.settled()
    try await recording?.finish()
    effect.blind = blind
    return try Replay(of: bytes, reduce: Self.reduce) { $0.connect(effect, to: \.wanted, named: "look") }
      .verdict()
  }

  @Test(
    "behind a stopped body, requests come and go as they are replayed",
    arguments: [
      [.want([1]), .began, .want([]), .want([1]), .record, .want([])],
      [.want([1]), .began, .want([]), .record, .want([1]), .want([])],
      [.want([1]), .began, .want([]), .record, .want([1]), .pass, .poke],
      [.want([1]), .began, .want([2]), .record, .want([3]), .pass, .poke, .want([2])],
      [.want([1]), .began, .want([]), .record, .want([2]), .want([3]), .pass, .poke],
      [.want([1]), .began, .want([]), .want([2]), .want([3]), .record, .poke, .pass, .poke, .want([3, 4])],
    ] as [[Step]], [RequestReplacement.restart, .handOver, .ignore])
  func stopped(steps: [Step], replacement: RequestReplacement) async throws {
    for modulus in [1, 2, 10] {
      let verdict = try await verdict(of: steps, modulus: modulus, replacement)
      #expect(verdict.isSame, "\(verdict)")
    }
  }

  @Test(
    "once all runs of an effect are known, its requests are compared again",
    arguments: [
      ([.want([1]), .began, .want([]), .record, .poke, .pass, .settle, .poke, .want([4])], .restart),
      ([.want([1]), .began, .want([]), .record, .poke, .pass, .settle, .poke, .want([4])], .handOver),
      // The request of the run has been replaced, which it ignores.
      ([.want([1]), .began, .want([2]), .record, .poke, .pass, .settle, .poke, .want([4])], .ignore),
    ] as [([Step], RequestReplacement)])
  func again(steps: [Step], replacement: RequestReplacement) async throws {
    let same = try await verdict(of: steps, modulus: 1, replacement)
    #expect(same.isSame, "\(same)")
    let other = try await verdict(of: steps, modulus: 1, replacement, blind: 4)
    #expect(!other.isSame && "\(other)".contains("recorded: starts look 4"), "\(other)")
  }

  @Test("what an action has decided may be in a gap, and is not missed then")
  func gap() throws {
    let connected = #""connected":[{"c":1,"n":"look","at":"m.swift:1","slice":"\\State.wanted"}]"#
    let whole = [
      #"{"millrace-trace":1,"program":"p","pid":1,"store":"S","state":"S","action":"A","start":1.0,"redactions":[],"part":1}"#,
      #"{"s":0,"t":0,"p":{"wanted":[],"pokes":0},"live":[],\#(connected)}"#,
      #"{"a":1,"t":1,"p":{"wanted":{"_0":[1]}},"at":"m.swift:2"}"#,
      #"{"g":1,"details":0,"t":2}"#,
      #"{"s":1,"t":2,"p":{"wanted":[1],"pokes":0},"live":[{"r":1,"n":"look","c":1,"by":1,"p":1}],\#(connected)}"#,
      #"{"a":2,"t":3,"p":{"poked":{}},"at":"m.swift:3"}"#,
    ]
    let effect = LookEffect(gate: Gate(), modulus: 1, replacement: .restart)
    func verdict(_ lines: [String]) throws -> ReplayVerdict {
      let memory = TraceMemory(texts: lines)
      return try Replay(of: memory, reduce: Self.reduce) { $0.connect(effect, to: \.wanted, named: "look") }
        .verdict()
    }
    let same = try verdict(whole)
    #expect(same.isSame, "\(same)")
    // Without the gap the run is missing.
    let missing = try verdict(whole.filter { !$0.hasPrefix(#"{"g""#) })
    #expect("\(missing)".contains("replayed: starts look 1"), "\(missing)")
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
      // Enough actions for a gap, where little memory is given.
      if Bool.random(using: &random) { steps += Array(repeating: .poke, count: 40) }
      steps.insert(.record, at: Int.random(in: 0..<steps.count, using: &random))
      let replacement = [RequestReplacement.restart, .handOver, .ignore].randomElement(using: &random)
      let memory = Bool.random(using: &random) ? 4 << 20 : 3_000
      let verdict = try await verdict(of: steps, modulus: modulus, replacement ?? .restart, memory: memory)
      #expect(verdict.isSame, "\(verdict), \(steps), \(modulus), \(replacement ?? .restart), \(memory)")
    }
  }
}
