import Millrace
import MillraceEffects
import MillraceTesting
import TestSupport
import Testing

@testable import MillraceExplorer

/// What policies tell an explorer is what they do: each random walk of an explorer is made beside it by the policies
/// themselves, on a test clock.
@Suite struct ExploredCompositionTests {
  struct State: Hashable, Sendable {
    var asked: Set<Int> = []
    var marks: [Mark] = []
  }

  enum Action: Sendable {
    case ask(Set<Int>)
    case mark(Mark)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  @Test func theExplorerGoesAsThePoliciesDo() async {
    var (kinds, markCount, stepCount) = (Set<String>(), 0, 0)
    let seeds = TestSize.seeds(40, full: 300)
    for seed in seeds {
      await Task.yield()
      var random = SeededGenerator(seed: seed)
      let layers = Layer.some(1...4, using: &random)
      var walk = Walk(layers)
      for _ in 0..<40 {
        guard walk.goOn(&random) else { break }
        stepCount += 1
        #expect(walk.difference == nil, "MILLRACE_SEED=\(seed): \(layers)")
        if walk.difference != nil { return }
      }
      for layer in layers { kinds.insert(String("\(layer)".prefix { $0 != "(" })) }
      markCount += walk.marks.count
    }
    if seeds.count >= 100 {
      #expect(kinds.count == Layer.kinds)
      #expect(stepCount > 20 * seeds.count)
      #expect(markCount > 5 * seeds.count)
    }
  }

  /// A way of the explorer's, and the same with real policies.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  private struct Walk {
    private let clock = TestClock()
    private let work = SwitchedWork()
    private let executor = ManualExecutor()
    private let stage: Stage<ErasedEffect>
    private let sent = Recorder<Mark>()
    private let exploration: Exploration<State, Action>
    private var place: Exploration<State, Action>.Place
    private var story: [String] = []

    var marks: [Mark] { sent.values }

    init(_ layers: [Layer]) {
      let work = work
      var effect = ErasedEffect(work)
      for layer in layers.reversed() {
        effect = layer.around(effect, clock: clock, other: ErasedEffect(work))
      }
      stage = Stage(effect, on: executor) { [sent] _, mark in sent.append(mark) }
      let isAlone = layers.contains { if case .ignoringWhileRunning = $0 { true } else { false } }
      let explored = effect
      exploration = Exploration(
        Explorer(
          initialState: State(),
          reduce: { state, action in
            switch action {
            case .ask(let asked): state.asked = asked
            case .mark(let mark): state.marks.append(mark)
            }
          }, connect: { $0.connect(explored, to: \.asked, action: Action.mark) }
        )
        .userActions { state in
          (1...4).map {
            .ask(isAlone && !state.asked.contains($0) ? [$0] : state.asked.symmetricDifference([$0]))
          }
        }
        .outcomes(of: Int.self, sending: Mark.self) { [.answers(.done($0)), .fails(RandomWork.Failed())] })
      place = exploration.start
    }

    /// Makes a move of which both sides know how it goes: not one of several that are due together.
    mutating func goOn(_ random: inout SeededGenerator) -> Bool {
      let moves = exploration.moves(from: place)
      let timed = (0..<moves.count).filter { moves.step($0).passed != nil }
      let others = (0..<moves.count).filter { moves.step($0).passed == nil }
      let isDueNow = timed.contains { moves.step($0).passed == .zero }
      guard timed.count < 2 || !isDueNow else { return false }
      let choice = isDueNow ? timed : others + (timed.count == 1 ? timed : [])
      guard let index = choice.randomElement(using: &random) else { return false }
      story.append(StepText.text(of: moves.step(index)))
      perform(moves.step(index))
      place = exploration.place(after: index, of: moves, from: place)
      return true
    }

    private func perform(_ step: ExploredStep<Action>) {
      switch step {
      case .action(.ask(let asked)): stage.ask(for: asked)
      case .action, .closure, .component, .restart: break
      case .time(let time): clock.advance(by: time)
      case .outcome(let outcome):
        if let passed = outcome.passed {
          clock.advance(by: passed)
        } else if let number = outcome.request as? Int {
          work.end(number, fails: outcome.failure != nil)
        }
      }
      executor.drain()
    }

    /// What differs, if anything does.
    var difference: String? {
      let moves = exploration.moves(from: place)
      let isPending = (0..<moves.count).contains { moves.step($0).passed == .zero }
      let reported = (0..<moves.count).compactMap { index -> Int? in
        guard case .outcome(let outcome) = moves.step(index), outcome.passed == nil else { return nil }
        return outcome.request as? Int
      }
      // What is due now is done already by the policies.
      if isPending || place.state.marks == sent.values && Set(reported) == work.served { return nil }
      return (story + ["told: \(place.state.marks) \(reported)", "done: \(sent.values) \(work.served)"])
        .joined(separator: "\n")
    }
  }
}

extension ExploredStep {
  /// The time that passes before it.
  fileprivate var passed: Duration? {
    switch self {
    case .outcome(let outcome): outcome.passed
    case .time(let time): time
    case .action, .closure, .component, .restart: nil
    }
  }
}
