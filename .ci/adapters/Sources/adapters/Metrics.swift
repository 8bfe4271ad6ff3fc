import Metrics
import Millrace

/// Counts the actions and the ended runs of a store, and measures its reductions and its queue.
final class StoreMetrics: StoreObserver {
  private let factory: any MetricsFactory
  private let reduced, fenced, refused: Counter
  private let reductions: Timer
  private let queueDepth: Gauge

  init(factory: any MetricsFactory = MetricsSystem.factory) {
    self.factory = factory
    func actions(_ fate: String) -> Counter {
      Counter(label: "millrace_actions", dimensions: [("fate", fate)], factory: factory)
    }
    (reduced, fenced, refused) = (actions("reduced"), actions("fenced"), actions("refused"))
    reductions = Timer(label: "millrace_reductions", dimensions: [], factory: factory)
    queueDepth = Gauge(label: "millrace_queue_depth", dimensions: [], factory: factory)
  }

  func observe(_ event: StoreEvent) {
    switch event.kind {
    case .didReduce(_, let duration, let waiting):
      reduced.increment()
      reductions.record(duration: duration)
      queueDepth.record(waiting)
    case .turnedAway(_, let fate, _): (fate == .fenced ? fenced : refused).increment()
    case .runEnded(let run, let ending, _):
      let labels = [("effect", run.name), ("ending", ending.word)]
      Counter(label: "millrace_runs", dimensions: labels, factory: factory).increment()
    default: break
    }
  }
}
