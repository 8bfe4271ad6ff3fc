import Millrace
import MillraceFaults
import MillraceTestStore
import Testing

/// Bugs planted in small features, which a fault matrix finds, and the mended features, which are clean.
@Suite("Planted bugs: faults") struct PlantedFaultTests {
  struct Offline: Error, Equatable {}

  enum Download {
    enum Bug { case keepsHalf, showsHalf }

    struct State: Equatable, Sendable {
      var isAsked = false
      var parts: [Int] = []
      var isShown = false
      var hasFailed = false
    }

    enum Action: Equatable, Sendable {
      case asked
      case part(Int)
      case ended
      case failed
    }

    struct File: Hashable, Sendable {}

    struct Load: EffectComponent {
      func requests(in state: State) -> Set<File> { state.isAsked ? [File()] : [] }
      func run(_ file: File, send: Send<Action>) async throws(Offline) {}
      func action(for failure: Offline, of file: File) -> Action { .failed }
    }

    static func report(
      _ bug: Bug?, _ matrix: (FaultMatrix<State, Action>) -> FaultMatrix<State, Action>
    ) async -> FaultReport {
      let all = FaultMatrix<State, Action>(
        initialState: State(),
        reduce: { state, action in
          switch action {
          case .asked: state.isAsked = true
          case .part(let part):
            state.parts.append(part)
            if bug == .showsHalf { state.isShown = true }
          case .ended: (state.isAsked, state.isShown) = (false, true)
          case .failed:
            (state.isAsked, state.hasFailed) = (false, true)
            if bug != .keepsHalf { state.parts = [] }
          }
        },
        connect: { $0.connect(Load(), named: "load") }
      )
      .failures(of: File.self) { _ in Offline() }
      return await matrix(all).run { store in
        store.exhaustivity = .requests
        store.send(.asked)
        store.send(.part(1), from: File())
        store.answer(File(), with: .part(2), .ended)
        await store.finish()
      }
    }
  }

  @Test("what arrived before a failure halfway is kept") func halfway() async {
    func report(_ bug: Download.Bug?) async -> FaultReport {
      await Download.report(bug) { $0.invariant("all or nothing") { !$0.hasFailed || $0.parts.isEmpty } }
    }
    let mended = await report(nil)
    #expect(mended.isClean, "\(mended)")
    // Four faults of the whole request, and two after each of the two actions after which the run goes on.
    #expect(mended.reruns == 8)
    let breaks = await report(.keepsHalf).breaks
    #expect(
      breaks.map(\.faults) == [
        ["load (PlantedFaultTests.Download.File) fails after 1 action"],
        ["load (PlantedFaultTests.Download.File) fails after 2 actions"],
      ])
    #expect(
      breaks.first?.story == [
        ".asked", ".part(1) from load File()", "load File() fails with Offline()", ".failed from load File()",
      ])
  }

  @Test("a download that falls silent halfway is shown as if it were whole") func silent() async {
    func report(_ bug: Download.Bug?) async -> FaultReport {
      await Download.report(bug) { $0.finally("only a whole file is shown") { !$0.isShown || !$0.isAsked } }
    }
    let mended = await report(nil)
    #expect(mended.isClean, "\(mended)")
    let breaks = await report(.showsHalf).breaks
    #expect(
      breaks.map(\.faults) == [
        ["load (PlantedFaultTests.Download.File) falls silent after 1 action"],
        ["load (PlantedFaultTests.Download.File) falls silent after 2 actions"],
      ])
    #expect(
      breaks.first?.story == [
        ".asked", ".part(1) from load File()", "load File() falls silent after 1 action",
      ])
    #expect(
      breaks.last?.story == [
        ".asked", ".part(1) from load File()", ".part(2) from load File()",
        "load File() falls silent after 2 actions",
      ])
  }
}
