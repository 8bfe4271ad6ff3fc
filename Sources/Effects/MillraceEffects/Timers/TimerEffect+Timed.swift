import Millrace

/// The progress of a timer.
private struct TimerCourse<ID: Hashable & Sendable>: RunCourse {
  private let id: ID
  private var ticks: Result<TickCounter, TimerRefusal>
  private var elapsed = Duration.zero

  init(_ timer: TimerRequest<ID>) {
    id = timer.id
    ticks = Result { () throws(TimerRefusal) in try TickCounter(timer.schedule, tolerance: timer.tolerance) }
  }

  var phase: [AnyHashable] { [(try? ticks.get())?.next, elapsed] }

  var dues: [DueAct] {
    switch ticks {
    case .failure(let refusal): return [DueAct(after: .zero, .answers([TimerEvent.refused(id, refusal)]))]
    case .success(var ticks):
      guard let next = ticks.next, let tick = ticks.woke(at: next) else { return [] }
      let events = [TimerEvent.fired(id, tick)]
      return [DueAct(after: next - elapsed, ticks.next == nil ? .answers(events) : .sends(events))]
    }
  }

  mutating func elapse(_ time: Duration) { elapsed += time }

  mutating func act(_ index: Int) {
    guard case .success(var counter) = ticks, let next = counter.next else { return }
    _ = counter.woke(at: next)
    ticks = .success(counter)
  }
}

extension TimerEffect: TimedEffect {
  package func course(of timer: TimerRequest<ID>) -> (any RunCourse)? { TimerCourse(timer) }
}
