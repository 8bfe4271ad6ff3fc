import Millrace

extension TimerEffect: TimedEffect {
  package func due(of timer: TimerRequest<ID>, after acts: Int) -> DueAct<TimerEvent<ID>, Never>? {
    do throws(TimerRefusal) {
      var ticks = try TickCounter(timer.schedule, tolerance: timer.tolerance)
      var last = Duration.zero
      for _ in 0..<acts {
        guard let next = ticks.next else { return nil }
        last = next
        _ = ticks.woke(at: next)
      }
      guard let next = ticks.next, let tick = ticks.woke(at: next) else { return nil }
      let events = [TimerEvent.fired(timer.id, tick)]
      return DueAct(after: next - last, ticks.next == nil ? .answers(events) : .sends(events))
    } catch {
      return acts == 0 ? DueAct(after: .zero, .answers([.refused(timer.id, error)])) : nil
    }
  }
}
