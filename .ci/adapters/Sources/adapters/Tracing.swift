import Millrace
import Synchronization
import Tracing

/// Makes a span of each run of one store, with a link to the span of the run whose action started it.
final class RunSpans: StoreObserver {
  private struct Spans {
    var ofRuns: [UInt64: any Span] = [:]  // by the number of the run
    var ofSenders: [UInt64: ServiceContext] = [:]  // by the number of the action that was sent
    var lastEnded = UInt64.max
  }

  private let tracer: any Tracer
  private let spans = Mutex(Spans())
  private let start = (wall: DefaultTracerClock.now.nanosecondsSinceEpoch, instant: ContinuousClock.now)

  init(_ tracer: any Tracer) { self.tracer = tracer }

  func observe(_ event: StoreEvent) {
    let age = UInt64(start.instant.duration(to: event.instant) / .nanoseconds(1))
    let time = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: start.wall + age)
    spans.withLock { spans in
      switch event.kind {
      case .willReduce(_, let action, let cause):
        spans.ofSenders[action &- 1024] = nil  // only the last actions are kept
        guard case .run(let run, _, _) = cause else { return }
        spans.ofSenders[action] = spans.ofRuns[run.generation]?.context
      case .runStarted(let run, let action):
        let span = tracer.startSpan(run.name, context: .topLevel, at: time)
        spans.ofRuns[run.generation] = span
        guard let sender = spans.ofSenders[action ?? 0] else { return }
        span.addLink(SpanLink(context: sender, attributes: [:]))
      case .runEnded(let run, let ending, _):
        guard let span = spans.ofRuns[run.generation] else { return }
        span.attributes["millrace.ending"] = ending.word
        if case .failed(let error, _) = ending {
          span.setStatus(SpanStatus(code: .error, message: "\(type(of: error))"))
        }
        span.end(at: time)
        spans.ofRuns[spans.lastEnded] = nil  // the action of a failure is reduced after the end of its run
        spans.lastEnded = run.generation
      default: break
      }
    }
  }
}
