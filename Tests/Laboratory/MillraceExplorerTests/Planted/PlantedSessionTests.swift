import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

/// Bugs of what should have ended, or of time that passes.
@Suite struct PlantedSessionTests {
  /// A report with a limit of time that is a timer of its own.
  enum Report {
    struct State: Hashable, Sendable {
      var report: String?
      var timers: Set<TimerRequest<String>> = []
      var isLate = false
      var text: String?
    }

    enum Action: Hashable, Sendable {
      case asked(String)
      case arrived(String)
      case timer(TimerEvent<String>)
    }

    static func explorer(_ isRight: Bool) -> Explorer<State, Action> {
      Explorer(initialState: State()) { state, action in
        switch action {
        case .asked(let report):
          state = State(report: report, timers: [TimerRequest("limit", .after(.seconds(10)))])
        case .arrived(let text): (state.report, state.timers, state.text) = (nil, [], text)
        case .timer:
          (state.timers, state.isLate) = ([], true)
          if isRight { state.report = nil }
        }
      } connect: { store in
        store.connect(when: \.report, named: "report") { _, _ in }
        store.connect(TimerEffect(), to: \.timers, action: Action.timer, named: "timer")
      }
      .userActions { _ in [.asked("June")] }
      .outcomes(of: String.self) { [.answers(.arrived($0))] }
      .never("a report and that it is late") { $0.isLate && $0.text != nil }
    }
  }

  @Test("late answer after a time-out: the request is still asked for", arguments: [false, true])
  func lateReport(isRight: Bool) async throws {
    let explorer = Report.explorer(isRight)
    // swift-format-ignore
    try await explorer.check(isRight, moves: 3) {
      let store = explorer.testStore()
      store.exhaustivity = .none
      store.send(.asked("June"))
      if store.inProgress().contains(TimerRequest<String>("limit", .after(Duration.seconds(10)), tolerance: nil)) { store.answer(TimerRequest<String>("limit", .after(Duration.seconds(10)), tolerance: nil), with: TimerEvent<String>.fired("limit", TimerTick(count: 1, due: Duration.seconds(10), missed: 0))) }
      if store.inProgress().contains("June") { store.answer("June", with: .arrived("June")) }
      let holds: (PlantedSessionTests.Report.State) -> Bool = { $0.isLate && $0.text != nil }
      #expect(!holds(store.state))
      await store.finish()
    }
  }
}
