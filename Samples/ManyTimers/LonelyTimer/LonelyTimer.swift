import Millrace

/// One timer that can be started and stopped. It knows neither other timers nor where its state is kept.
public enum LonelyTimer {
  public struct State: Hashable, Sendable {
    public var ticks = 0
    public var isRunning = false
    /// The number of ticks after which it stops by itself.
    public var limit: Int?

    public init(limit: Int? = nil) { self.limit = limit }

    /// Whether it has stopped by itself: the feature's outcome.
    public var isDone: Bool { ticks == limit }
  }

  public enum Action: Codable, Hashable, Sendable {
    case toggled
    case ticked
    case reset
  }

  public static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .toggled:
      state.isRunning = !state.isRunning && !state.isDone
    case .ticked:
      state.ticks += 1
      if state.isDone { state.isRunning = false }
    case .reset:
      state.ticks = 0
    }
  }

  /// Connects the feature to a store of its state, wherever that is kept.
  ///
  /// Connected as long-running, so that `settled()` does not wait for the next tick.
  public static func connect(
    to store: Store<State, Action>, clock: some Clock<Duration>, interval: Duration = .milliseconds(100)
  ) {
    store.connect(TickEffect(clock: clock, interval: interval), longRunning: true)
  }
}
