import MillraceEffects

/// What a composition of policies does with one request at a time, as plain arithmetic on times: no tasks, no clock.
struct CompositionModel {
  typealias Time = Duration

  enum Ending {
    case well(Time)
    case failed(Time)
    /// It was stopped before it had ended.
    case stopped
  }

  /// What a policy remembers from run to run.
  private struct Memory {
    var last: Time?
    var failures = 0
    var openUntil: Time?
  }

  let script: RunScript
  /// The outermost first.
  let layers: [Layer]
  private(set) var marks: [TimedMark] = []
  private var memories: [Memory]
  private var runs = 0

  init(script: RunScript, layers: [Layer]) {
    self.script = script
    self.layers = layers
    memories = layers.map { _ in Memory() }
  }

  /// The state asks for `request` from `start` on, and until `end`.
  mutating func asked(_ request: Int, from start: Time, until end: Time) {
    if case .failed(let time) = run(request, 0, start, until: end) { mark(.failed(request), time) }
  }

  private mutating func mark(_ mark: Mark, _ time: Time) { marks.append(TimedMark(time: time, mark: mark)) }

  /// What the layers from `index` inwards do with a run that begins at `start` and is stopped at `end`.
  private mutating func run(_ request: Int, _ index: Int, _ start: Time, until end: Time) -> Ending {
    if start >= end { return .stopped }
    guard index < layers.count else { return work(request, start, until: end) }
    let next = index + 1
    switch layers[index] {
    case .limited:
      return run(request, next, start, until: end)
    case .delayed(let time), .debounced(let time):
      return run(request, next, start + time, until: end)
    case .throttled(let interval):
      let begin = memories[index].last.map { max($0 + interval, start) } ?? start
      if begin >= end { return .stopped }
      memories[index].last = begin
      return run(request, next, begin, until: end)
    case .throttledFirst(let interval):
      if let last = memories[index].last, start < last + interval {
        mark(.dropped(request), start)
        return .well(start)
      }
      memories[index].last = start
      return run(request, next, start, until: end)
    case .timeout(let time), .failingTimeout(let time):
      let ending = run(request, next, start, until: min(end, start + time))
      guard case .stopped = ending, start + time < end else { return ending }
      if case .failingTimeout = layers[index] { return .failed(start + time) }
      mark(.timedOut(request), start + time)
      return .well(start + time)
    case .retried(let attempts, let backoff):
      var begin = start
      for attempt in 1...attempts {
        let ending = run(request, next, begin, until: end)
        guard case .failed(let time) = ending, attempt < attempts else { return ending }
        mark(.retrying(request, attempt: attempt + 1), time)
        begin = time + backoff.delay(before: attempt + 1)
      }
      return .stopped
    case .guarded(let threshold, let reset), .failingGuarded(let threshold, let reset):
      if let open = memories[index].openUntil, start < open {
        if case .failingGuarded = layers[index] { return .failed(start) }
        mark(.refused(request), start)
        return .well(start)
      }
      let ending = run(request, next, start, until: end)
      switch ending {
      case .well: memories[index] = Memory()
      case .failed(let time):
        memories[index].failures += 1
        let isTrial = memories[index].openUntil != nil
        if isTrial || memories[index].failures >= threshold {
          memories[index] = Memory(openUntil: time + reset)
        }
      case .stopped: break
      }
      return ending
    case .polled(let interval, let spacing, let backoff):
      return poll(request, next, start, until: end, interval, spacing, backoff)
    }
  }

  private mutating func poll(
    _ request: Int, _ next: Int, _ start: Time, until end: Time, _ interval: Time, _ spacing: PollSpacing,
    _ backoff: Backoff?
  ) -> Ending {
    var (begin, failures) = (start, 0)
    while true {
      let ended: Time
      switch run(request, next, begin, until: end) {
      case .stopped: return .stopped
      case .well(let time): (ended, failures) = (time, 0)
      case .failed(let time):
        (ended, failures) = (time, failures + 1)
        mark(.failed(request), time)
      }
      let earliest = failures > 0 ? ended + (backoff?.delay(before: failures + 1) ?? .zero) : ended
      switch spacing {
      case .fixedDelay: begin = max(ended + interval, earliest)
      case .fixedRate: repeat { begin += interval } while begin < earliest
      }
      if begin >= end { return .stopped }
    }
  }

  /// What the effect within does.
  private mutating func work(_ request: Int, _ start: Time, until end: Time) -> Ending {
    runs += 1
    mark(.began(request), start)
    let (takes, fails) = script.run(runs)
    guard start + takes / 2 < end else { return .stopped }
    mark(.halfway(request), start + takes / 2)
    guard start + takes < end else { return .stopped }
    if fails { return .failed(start + takes) }
    mark(.done(request), start + takes)
    return .well(start + takes)
  }
}
