/// How a connected effect stands to a request, at one moment.
package struct RequestStanding: Sendable {
  package enum Answer: Sendable {
    /// A run serves it. It may wait for the run before it.
    case served(run: UInt64, startedBy: UInt64?, isBehind: Bool, before: UInt64?)
    /// It has been served and is still asked for.
    case finished
    /// It is asked for, and the run of another request with its identity goes on.
    case replaced(by: any Hashable & Sendable, run: UInt64)
    /// It is asked for, and the store starts nothing more.
    case closing
    /// The state does not ask for it.
    case notAsked
  }

  package let connection: ConnectionIdentity
  package let slice: String
  package let answer: Answer
  /// The other requests that are asked for.
  package let others: [any Hashable & Sendable]
  /// A run of it that was stopped and has not returned.
  package let stopping: UInt64?
}

/// A lifetime, at one moment.
package struct LifetimeStanding: Sendable {
  package let connection: ConnectionIdentity
  package let slice: String
  package let partCount: Int
}

/// Something connected that serves requests of one type.
protocol RequestServing {
  /// How it stands to a request; `nil` for one of another type. The turn lock must be held.
  func standing(to request: any Hashable & Sendable) -> (
    answer: RequestStanding.Answer, others: [any Hashable & Sendable], stopping: UInt64?
  )?
}

extension ConnectedEffect: RequestServing {
  func standing(to request: any Hashable & Sendable) -> (
    answer: RequestStanding.Answer, others: [any Hashable & Sendable], stopping: UInt64?
  )? {
    guard let request = request as? Effect.Request else { return nil }
    func serves(_ entry: LiveRun) -> Bool {
      (entry.newest ?? entry.run.request) as? Effect.Request == request
    }
    let stopping = runs.values.first { !$0.run.isLive && serves($0) }?.run.generation
    return (answer(to: request, serves), asked.subtracting([request]).map { $0 }, stopping)
  }

  private func answer(
    to request: Effect.Request, _ serves: (LiveRun) -> Bool
  ) -> RequestStanding.Answer {
    if let entry = runs.values.first(where: { $0.run.isLive && serves($0) }) {
      let isBehind = entry.behind != nil && entry.run.phase == .decided
      let before = isBehind ? runs.values.first { !$0.run.isLive && haveSameID($0, request) } : nil
      return .served(
        run: entry.run.generation, startedBy: entry.run.cause.action, isBehind: isBehind,
        before: before?.run.generation)
    }
    guard asked.contains(request) else { return .notAsked }
    if table.finished.contains(where: { typed($0) == request }) { return .finished }
    if let other = runs.values.first(where: { $0.run.isLive && haveSameID($0, request) }) {
      return .replaced(by: other.newest ?? other.run.request, run: other.run.generation)
    }
    return .closing
  }

  private func haveSameID(_ entry: LiveRun, _ request: Effect.Request) -> Bool {
    guard let other = (entry.newest ?? entry.run.request) as? Effect.Request else { return false }
    return haveSameID(other, request)
  }
}
