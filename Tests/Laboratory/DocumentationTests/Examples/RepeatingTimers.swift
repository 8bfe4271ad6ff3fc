import Millrace
import MillraceEffects
import MillraceExplorer
import MillraceTesting
import Testing

@Suite struct RepeatingTimerExamples {
  /// A search that is made anew at each tick.
  enum Watch {
    struct State: Hashable, Sendable {
      var timers: Set = [TimerRequest("refresh", .every(.seconds(30)))]
      var isRefreshing = true

      var wanted: String? { isRefreshing ? "list" : nil }
    }

    enum Action: Sendable {
      case refreshed
      case timer(TimerEvent<String>)
    }

    @Sendable static func reduce(_ state: inout State, _ action: Action) {
      switch action {
      case .refreshed: state.isRefreshing = false
      case .timer(.fired): state.isRefreshing = true
      case .timer: state.timers = []
      }
    }

    @Sendable static func connect(to store: Store<State, Action>) {
      store.connect(TimerEffect(), to: \.timers, action: Action.timer)
      store.connect(when: \.wanted) { _, send in await send(.refreshed) }
    }
  }

  @Test("a timer that ticks for ever")
  func ticks() {
    let explorer = Explorer(
      initialState: Watch.State(), reduce: Watch.reduce, connect: Watch.connect
    )
    .outcomes(of: String.self) { _ in [.answers(.refreshed)] }
    .alwaysReachable("it comes to rest") { !$0.isRefreshing }
    // ExploringAFeature, repeating timers
    let report =
      explorer
      .outcomes(of: TimerRequest<String>.self, sending: TimerEvent<String>.self) { timer in
        [.sends(.fired(timer.id, TimerTick(count: 1, due: .seconds(30))))]
      }
      .explore()
    #expect(report.isClean && report.counts.states == 2, "\(report)")
    #expect(explorer.explore(depth: 20).gaps.contains(.depth))
  }
}
