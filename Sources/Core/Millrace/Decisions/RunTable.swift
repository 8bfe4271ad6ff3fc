/// Decides which runs to start and to stop, from the requests of the state and the runs in progress or finished. Pure.
///
/// An identity has an entry while the state asks for it, or while a stopped body of it has not returned. When the state
/// asks for nothing and all bodies have returned, the table is empty.
package struct RunTable<ID: Hashable, Request: Equatable> {
  /// The steps for a changed set of requests.
  package struct Steps {
    fileprivate var all: [Step] = []

    /// Calls `body` with each step: the ends first, then the others, each in the order given.
    package func inOrder(_ body: (Step) -> Void) {
      for step in all where step.isEnd { body(step) }
      for step in all where !step.isEnd { body(step) }
    }
  }

  /// One step to perform.
  package enum Step: Equatable {
    /// Make a run. It begins at once, or waits for `begin`.
    case create(generation: UInt64, Request, begins: Bool)
    /// Begin a run that has waited for its predecessor.
    case begin(generation: UInt64)
    /// Fence and cancel a run whose body may have begun.
    case stop(generation: UInt64)
    /// Forget a run that waited and is no longer asked for.
    case discard(generation: UInt64)
    /// Give a new value to a run that continues.
    case handOver(generation: UInt64, Request)
    /// Two requests of one set have the same identity. The first one is served.
    case clash(Request, Request)

    fileprivate var isEnd: Bool {
      if case .stop = self { true } else if case .discard = self { true } else { false }
    }
  }

  fileprivate enum Phase {
    /// Asked for; its run has not returned.
    case running(UInt64, Request)
    /// Asked for; its run has returned.
    case finished(Request)
    /// No longer asked for; its stopped run has not returned.
    case stopping(UInt64)
    /// Asked for again while its stopped run has not returned.
    case waiting(stopped: UInt64, next: UInt64, Request)
  }

  private struct Entry {
    var phase: Phase
    /// The number of the last set of requests that contained it.
    var round: UInt64
  }

  private var entries: [ID: Entry] = [:]
  private var round: UInt64 = 0

  package var isEmpty: Bool { entries.isEmpty }

  package init() {}

  /// A table that was large releases its memory.
  private mutating func releaseMemory() { if entries.isEmpty, entries.capacity > 64 { entries = [:] } }

  /// The state asks for exactly `requests`, of which no two are equal.
  ///
  /// - Parameters:
  ///   - isClosing: whether no run may begin. Runs that serve what is still asked for continue.
  ///   - drop: gets each request and identity that is replaced or removed, to be released when no lock is held.
  package mutating func requestsChanged(
    to requests: some Sequence<(id: ID, request: Request)>, replacement: RequestReplacement,
    isClosing: Bool = false, generations: inout UInt64, _ drop: (Any) -> Void = { _ in }
  ) -> Steps {
    round += 1
    var steps = Steps()
    steps.all.reserveCapacity(4)
    var matched = 0
    for (id, request) in requests {
      guard let index = entries.index(forKey: id) else {
        if isClosing { continue }
        generations += 1
        steps.all.append(.create(generation: generations, request, begins: true))
        entries[id] = Entry(phase: .running(generations, request), round: round)
        matched += 1
        continue
      }
      let entry = entries.values[index]
      if entry.round == round {
        if let first = entry.phase.request { steps.all.append(.clash(first, request)) }
        continue
      }
      if isClosing, !entry.phase.continues(with: request, replacement) { continue }
      matched += 1
      entries.values[index].round = round
      guard let phase = Self.asked(entry.phase, request, replacement, &generations, &steps) else { continue }
      if let request = entry.phase.request { drop(request) }
      // The key is replaced, too, since an identity may keep the request that it was made of.
      drop(entries.remove(at: index).key)
      entries[id] = Entry(phase: phase, round: round)
    }
    if matched < entries.count { removeLeftovers(&steps, drop) }
    return steps
  }

  /// - Returns: `nil` if nothing changes.
  private static func asked(
    _ phase: Phase, _ request: Request, _ replacement: RequestReplacement, _ generations: inout UInt64,
    _ steps: inout Steps
  ) -> Phase? {
    switch phase {
    case .running(_, request), .finished(request), .waiting(_, _, request):
      return nil
    case .running(let running, _) where replacement == .handOver:
      steps.all.append(.handOver(generation: running, request))
      return .running(running, request)
    case .running(let running, _) where replacement == .ignore:
      return .running(running, request)
    case .waiting(let stopped, let next, _) where replacement == .ignore:
      return .waiting(stopped: stopped, next: next, request)
    case .running(let running, _):
      generations += 1
      steps.all.append(.stop(generation: running))
      steps.all.append(.create(generation: generations, request, begins: false))
      return .waiting(stopped: running, next: generations, request)
    case .finished:
      generations += 1
      steps.all.append(.create(generation: generations, request, begins: true))
      return .running(generations, request)
    case .stopping(let stopped):
      generations += 1
      steps.all.append(.create(generation: generations, request, begins: false))
      return .waiting(stopped: stopped, next: generations, request)
    case .waiting(let stopped, let next, _):
      generations += 1
      steps.all.append(.discard(generation: next))
      steps.all.append(.create(generation: generations, request, begins: false))
      return .waiting(stopped: stopped, next: generations, request)
    }
  }

  private mutating func removeLeftovers(_ steps: inout Steps, _ drop: (Any) -> Void) {
    var finished: [ID] = []
    // Iterates by index, since a table that is changed during an iteration over itself is copied.
    var index = entries.startIndex
    while index != entries.endIndex {
      defer { entries.formIndex(after: &index) }
      let entry = entries.values[index]
      if entry.round == round { continue }
      if let request = entry.phase.request { drop(request) }
      switch entry.phase {
      case .running(let generation, _):
        steps.all.append(.stop(generation: generation))
        entries.values[index].phase = .stopping(generation)
      case .finished:
        finished.append(entries[index].key)
      case .stopping:
        break
      case .waiting(let stopped, let next, _):
        steps.all.append(.discard(generation: next))
        entries.values[index].phase = .stopping(stopped)
      }
    }
    for id in finished {
      entries[id] = nil
      drop(id)
    }
    releaseMemory()
  }

  /// The body of a run has returned, or was stopped before it began.
  ///
  /// - Parameters:
  ///   - leftValue: whether the run has not taken a value that was handed over to it. That value is a request like any
  ///     other.
  ///   - isClosing: whether no other run may begin.
  ///   - drop: gets what is replaced or removed.
  package mutating func runReturned(
    _ generation: UInt64, id: ID, leftValue: Bool = false, isClosing: Bool = false, generations: inout UInt64,
    _ drop: (Any) -> Void = { _ in }
  ) -> Step? {
    defer { releaseMemory() }
    guard let index = entries.index(forKey: id) else { return nil }
    switch entries.values[index].phase {
    case .running(generation, let request) where leftValue && !isClosing:
      generations += 1
      entries.values[index].phase = .running(generations, request)
      return .create(generation: generations, request, begins: true)
    case .running(generation, let request):
      entries.values[index].phase = .finished(request)
    case .stopping(generation):
      drop(entries.remove(at: index).key)
    case .waiting(generation, let next, let request) where isClosing:
      drop(request)
      drop(entries.remove(at: index).key)
      return .discard(generation: next)
    case .waiting(generation, let next, let request):
      entries.values[index].phase = .running(next, request)
      return .begin(generation: next)
    case .running, .finished, .stopping, .waiting:
      break
    }
    return nil
  }

  /// The requests that the state still asks for and whose runs have finished, for an activity list.
  var finished: [Request] {
    entries.values.compactMap { if case .finished(let request) = $0.phase { request } else { nil } }
  }
}

extension RunTable.Phase {
  fileprivate var request: Request? {
    switch self {
    case .running(_, let request), .finished(let request), .waiting(_, _, let request): request
    case .stopping: nil
    }
  }

  /// Whether asking for `request` changes nothing, or needs no new run.
  fileprivate func continues(with request: Request, _ replacement: RequestReplacement) -> Bool {
    if case .running = self, replacement != .restart { return true }
    return self.request == request
  }
}
