import MillraceEffects

/// What a composition of policies does with one request at a time, as plain arithmetic on times: no tasks, no clock.
struct CompositionModel {
  typealias Time = Duration

  enum Ending {
    case well(Time)
    case failed(Time)
    /// It was stopped before it had ended.
    case stopped

    var outcome: (time: Time, failed: Bool)? {
      switch self {
      case .well(let time): (time, false)
      case .failed(let time): (time, true)
      case .stopped: nil
      }
    }
  }

  /// What a policy remembers from run to run.
  private struct Memory {
    var last: Time?
    var failures = 0
    var openUntil: Time?
    /// Of a burst: when the last request will have stayed the same for its time, and since when one waits.
    var settled: Time?
    var waitingSince: Time?
    /// When tokens were taken.
    var taken: [Time] = []
    /// Whether the last runs failed.
    var outcomes: [Bool] = []
    /// When the last runs ended, as a breaker has it, and whether they failed.
    var recent: [(time: Time, failed: Bool)] = []
    /// How many trials went well.
    var trials = 0
    /// Of each key.
    var others: [Bool: Memory] = [:]
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

  /// What the state asks for at a time.
  struct Asking {
    var request: Int
    var start: Time
    var end: Time
  }

  /// The state asks for one request after the other.
  mutating func asked(_ askings: [Asking]) {
    let isLeading = layers.contains { if case .ignoringWhileRunning = $0 { true } else { false } }
    var free: Time?
    for (index, asking) in askings.enumerated() {
      var end = asking.end
      if isLeading {
        // A run goes on until nothing is asked for, and what comes meanwhile is ignored.
        if let free, asking.start < free { continue }
        for later in askings[(index + 1)...] where later.start == end { end = later.end }
      }
      switch run(asking.request, 0, asking.start, until: end) {
      case .well(let time): free = time
      case .failed(let time):
        mark(.failed(asking.request), time)
        free = time
      case .stopped: free = end
      }
    }
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
    case .debouncedByRequest(let even, let odd):
      return run(request, next, start + (request.isMultiple(of: 2) ? even : odd), until: end)
    case .fallback:
      let ending = run(request, next, start, until: end)
      guard case .failed(let time) = ending else { return ending }
      return work(request, time, until: end)
    case .hedged(let delay, let hedges):
      return hedge(request, start, until: end, delay, hedges + 1)
    case .guardedByTime(let rate, let span, let minimum, let reset, let slowAfter, let trials):
      if let open = memories[index].openUntil, start < open {
        mark(.refused(request), start)
        return .well(start)
      }
      let ending = run(request, next, start, until: end)
      guard let (time, hasFailed) = ending.outcome else { return ending }
      let isFailure = hasFailed || time - start >= slowAfter
      if memories[index].openUntil != nil {
        memories[index].trials += 1
        if isFailure {
          memories[index] = Memory(openUntil: time + reset)
        } else if memories[index].trials == trials {
          memories[index] = Memory()
        }
        return ending
      }
      memories[index].recent.removeAll { time - $0.time >= span }
      let last = memories[index].recent.last?.time
      let step = last.flatMap { time - $0 < span / 64 ? $0 : nil } ?? time
      memories[index].recent.append((step, isFailure))
      let recent = memories[index].recent
      let share = Double(recent.count(where: \.failed)) / Double(recent.count)
      if isFailure, recent.count >= minimum, share >= rate {
        memories[index] = Memory(openUntil: time + reset)
      }
      return ending
    case .guardedPerKey(let threshold, let reset):
      let key = request.isMultiple(of: 2)
      let memory = memories[index].others[key] ?? Memory()
      if let open = memory.openUntil, start < open {
        mark(.refused(request), start)
        return .well(start)
      }
      let ending = run(request, next, start, until: end)
      guard let (time, hasFailed) = ending.outcome else { return ending }
      let failures = hasFailed ? memory.failures + 1 : 0
      let opens = hasFailed && (memory.openUntil != nil || failures >= threshold)
      memories[index].others[key] = opens ? Memory(openUntil: time + reset) : Memory(failures: failures)
      return ending
    case .polledWithJitter(let interval, let mode, let jitter, let seed):
      let late = Backoff(first: interval, factor: 1, cap: interval, jitter: jitter, seed: seed)
      return poll(request, next, start, until: end, interval, mode, nil) {
        interval - late.delay(before: $0 + 1)
      }
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
    case .retried(let retries, let backoff):
      var begin = start
      for attempt in 1...(retries + 1) {
        let ending = run(request, next, begin, until: end)
        guard case .failed(let time) = ending, attempt <= retries else { return ending }
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
    case .ignoringWhileRunning:
      return run(request, next, start, until: end)
    case .burst(_, let isLeading, let longest), .burstByRequest(_, _, let isLeading, let longest):
      let quiet =
        switch layers[index] {
        case .burstByRequest(let even, let odd, _, _): request.isMultiple(of: 2) ? even : odd
        case .burst(let quiet, _, _): quiet
        default: Time.zero
        }
      let isFirst = memories[index].settled.map { start >= $0 } ?? true
      memories[index].settled = start + quiet
      var begin = start
      if !isFirst || !isLeading {
        let since = isFirst ? start : memories[index].waitingSince ?? start
        memories[index].waitingSince = since
        begin = max(start, min(start + quiet, longest.map { since + $0 } ?? start + quiet))
      }
      if begin >= end { return .stopped }
      memories[index].waitingSince = nil
      return run(request, next, begin, until: end)
    case .rateLimited(let capacity, let interval), .rateRefused(let capacity, let interval):
      let begin = tokenIsThere(index, capacity, interval, from: start)
      if case .rateRefused = layers[index], begin > start {
        mark(.refused(request), start)
        return .well(start)
      }
      if begin >= end { return .stopped }
      memories[index].taken.append(begin)
      return run(request, next, begin, until: end)
    case .guardedByRate(let rate, let window, let minimum, let reset):
      if let open = memories[index].openUntil, start < open {
        mark(.refused(request), start)
        return .well(start)
      }
      let isTrial = memories[index].openUntil != nil
      let ending = run(request, next, start, until: end)
      switch ending {
      case .well:
        memories[index].outcomes = isTrial ? [] : memories[index].outcomes + [false]
        memories[index].openUntil = nil
      case .failed(let time):
        memories[index].outcomes.append(true)
        let last = memories[index].outcomes.suffix(window)
        let share = Double(last.count { $0 }) / Double(last.count)
        if isTrial || (last.count >= minimum && share >= rate) {
          memories[index] = Memory(openUntil: time + reset)
        }
      case .stopped: break
      }
      return ending
    case .polled(let interval, let mode, let backoff):
      return poll(request, next, start, until: end, interval, mode, backoff)
    }
  }

  /// When there is a token, in a bucket that is simulated from its beginning: the level after each that was taken.
  private func tokenIsThere(_ index: Int, _ capacity: Int, _ interval: Time, from start: Time) -> Time {
    var fullAt = Time.zero
    for time in memories[index].taken { fullAt = max(fullAt, time) + interval }
    return max(start, fullAt - interval * (capacity - 1))
  }

  private mutating func poll(
    _ request: Int, _ next: Int, _ start: Time, until end: Time, _ interval: Time, _ mode: PollMode,
    _ backoff: Backoff?, late: (Int) -> Time = { _ in .zero }
  ) -> Ending {
    // `tick` is when the run would have begun without jitter.
    var (tick, begin, failures) = (start, start, 0)
    for number in 1... {
      let ended: Time
      switch run(request, next, begin, until: end) {
      case .stopped: return .stopped
      case .well(let time): (ended, failures) = (time, 0)
      case .failed(let time):
        (ended, failures) = (time, failures + 1)
        mark(.failed(request), time)
      }
      let earliest = failures > 0 ? ended + (backoff?.delay(before: failures + 1) ?? .zero) : ended
      switch mode {
      case .fixedDelay: begin = max(ended + interval + late(number), earliest)
      case .fixedRate:
        repeat { tick += interval } while tick < earliest
        begin = tick + late(number)
      }
      if begin >= end { return .stopped }
    }
    return .stopped
  }

  /// Attempts of the effect within, of which the first that sends something has the answer.
  private mutating func hedge(
    _ request: Int, _ start: Time, until end: Time, _ delay: Time, _ most: Int
  ) -> Ending {
    var attempts: [(begin: Time, number: Int)] = []
    var (begun, next) = (0, Time?.some(start))
    func halfway(_ attempt: (begin: Time, number: Int)) -> Time {
      attempt.begin + script.run(attempt.number).takes / 2
    }
    while true {
      let first = attempts.min { halfway($0) < halfway($1) }
      if let begin = next, first.map({ begin < halfway($0) }) ?? true {
        guard begin < end else { return .stopped }
        (begun, runs) = (begun + 1, runs + 1)
        mark(.began(request), begin)
        attempts.append((begin, runs))
        next = begun < most ? begin + delay : nil
      } else if let first {
        let time = halfway(first)
        guard time < end else { return .stopped }
        let (takes, fails) = script.run(first.number)
        guard fails, script.failsEarly(first.number) else {
          mark(.halfway(request), time)
          return conclude(request, at: first.begin + takes, fails, until: end)
        }
        attempts.removeAll { $0.number == first.number }
        if attempts.isEmpty {
          guard begun < most else { return .failed(time) }
          next = time
        }
      }
    }
  }

  private mutating func conclude(_ request: Int, at time: Time, _ fails: Bool, until end: Time) -> Ending {
    guard time < end else { return .stopped }
    if fails { return .failed(time) }
    mark(.done(request), time)
    return .well(time)
  }

  /// What the effect within does.
  private mutating func work(_ request: Int, _ start: Time, until end: Time) -> Ending {
    runs += 1
    mark(.began(request), start)
    let (takes, fails) = script.run(runs)
    guard start + takes / 2 < end else { return .stopped }
    if fails, script.failsEarly(runs) { return .failed(start + takes / 2) }
    mark(.halfway(request), start + takes / 2)
    return conclude(request, at: start + takes, fails, until: end)
  }
}
